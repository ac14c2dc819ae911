"""`python -m verifierbench` is `verifierbench`."""

from verifierbench.cli import main

main()
