# The server, from the static program of a release. Build it beside what .ci/release made:
#
#   .ci/release v1.2.3 linux/amd64
#   docker build --build-arg PROGRAM=dist/findspot_1.2.3_linux_amd64/findspot -t findspot .
#
# Run it with a token, which every request must bring, and with what it answers from mounted to be read only:
#
#   docker run -p 127.0.0.1:8080:8080 -v findspot-index:/index -v "$PWD/papers:/papers:ro" -e FINDSPOT_TOKEN="$(openssl rand -hex 32)" findspot --docs /papers
#
# There is no shell, no certificate and no other program in it, so that language servers and OCR are not used.
FROM scratch

ARG PROGRAM
COPY --chmod=0755 ${PROGRAM} /findspot

# The user is a number, since there is no /etc/passwd. The index must belong to it: a new named volume takes owner and mode from here.
COPY --chown=65532:65532 --chmod=0700 .ci/container/index /index
COPY --chown=65532:65532 --chmod=0700 .ci/container/tmp /tmp
USER 65532:65532
VOLUME /index
ENV HOME=/index
EXPOSE 8080
ENTRYPOINT ["/findspot", "serve", "--addr", "0.0.0.0:8080", "--dir", "/index/findspot"]
