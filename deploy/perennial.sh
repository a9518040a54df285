#!/bin/sh
# The command "perennial" of the image.
PERENNIAL_PROGRAM=perennial exec node "$(dirname "$(readlink -f "$0")")/../server/src/main.ts" "$@"
