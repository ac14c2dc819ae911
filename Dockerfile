# An image in which the strongest sandbox tier is available. Not run in this project's own tests: no container engine
# is at hand there. What it does is checked inside it by `verifierbench doctor`, which fights the self-test.
#
#   docker build -t verifierbench .
#   docker run --rm --security-opt seccomp=unconfined --security-opt apparmor=unconfined verifierbench doctor
#
# Both options are needed for user namespaces; without them the `seccomp` tier is used and ranked results are refused.
FROM python:3.12-slim

# git and make: repositories of code tasks, and their commands.
RUN apt-get update \
    && apt-get install --no-install-recommends -y git make \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/verifierbench
COPY pyproject.toml requirements.lock README.md LICENSE Makefile ./
COPY src ./src
COPY docs ./docs
COPY benchmarks ./benchmarks
COPY tests ./tests
RUN python -m pip install --no-cache-dir --require-hashes --requirement requirements.lock \
    && python -m pip install --no-cache-dir --no-deps .

# An ordinary user: the sandbox needs no root, and its user namespaces work without.
RUN useradd --create-home verifierbench
USER verifierbench
WORKDIR /home/verifierbench

ENTRYPOINT ["verifierbench"]
CMD ["--help"]
