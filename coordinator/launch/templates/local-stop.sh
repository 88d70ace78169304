#!/bin/sh
# Lets the runs end, then the coordinator and its workers.
exec '@etna@' drain --connect '@@directory@/join'
