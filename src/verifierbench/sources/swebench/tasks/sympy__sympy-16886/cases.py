"""What is looked at in the patched copy: Morse code of digits, there and back."""

from sympy.crypto.crypto import char_morse, decode_morse, encode_morse, morse_char


def means_one(code):
    """Whether a code is read as "1"; how else it is read, or that it is not, is left open."""
    try:
        return "1" in decode_morse(code)
    except KeyError:
        return False


def case_encoded_alone():
    return encode_morse("1")


def case_encoded_digits():
    return encode_morse("1234567890")


def case_encoded_in_words():
    return encode_morse("ROOM 101 AT 11")


def case_encoded_apart():
    return encode_morse("A1 1B", sep="~"), encode_morse("31", sep="::")


def case_decoded_alone():
    return decode_morse(".----")


def case_decoded_in_words():
    return decode_morse(".-.|---|---|--||.----|-----|.----")


def case_decoded_apart():
    return decode_morse("...--/.----//.----/.-", sep="/")


def case_there_and_back():
    return [decode_morse(encode_morse(text)) for text in ("1", "1111 1", "0123456789", "PAGE 1, LINE 10")]


def case_code_in_table():
    return morse_char.get(".----"), [code for code, char in morse_char.items() if char == "1"]


def case_char_in_table():
    return char_morse.get("1")


def case_old_code_alone():
    return means_one("----")


def case_old_code_in_words():
    return [means_one(code) for code in ("-.-|----", "----|.||.", "-.--.|----|-.--.-")]


def case_other_codes():
    return {char: code for code, char in morse_char.items() if char != "1"}


def case_other_chars():
    return {char: code for char, code in char_morse.items() if char not in ("1", " ")}


def case_own_mapping():
    return encode_morse("1A B", mapping={"1": "x", "A": "y"}), decode_morse("x|y", mapping={"x": "1", "y": "A"})


def case_unmapped_dropped():
    return encode_morse("a#B%"), encode_morse("2\n3 "), encode_morse("")


def case_unknown_code():
    return decode_morse(".....----")


def case_letters_back():
    return decode_morse(".--.|.-|--.|.||.----.|...-..-|-.-.--")
