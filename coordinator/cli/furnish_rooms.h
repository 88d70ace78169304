/* `etna furnish --batch`: a list of briefs as one run of the pool, each a FURNISH
 * task. A child writes what they are made of, whoever carries runs for the store
 * has them made, and the rooms are written from the store at the end. The run is
 * named by all that it is made of, so that the same list, begun again, goes on
 * where it was. */
#ifndef ETNA_COORDINATOR_CLI_FURNISH_ROOMS_H
#define ETNA_COORDINATOR_CLI_FURNISH_ROOMS_H

/* `argv` from "furnish" on. The exit code, with everything said. */
int furnish_rooms(int argc, char **argv);

#endif
