/* The worker's end of the network: one NNG REQ socket, one context per
 * outstanding request. NNG's threads only hand over; everything else happens on
 * the caller's thread. */
#ifndef ETNA_WORKER_SHELL_NET_H
#define ETNA_WORKER_SHELL_NET_H

#include "proto/error.h"
#include <stddef.h>
#include <stdint.h>

typedef struct net net;

typedef struct net_handlers {
    void *context;
    /* on one of NNG's threads: call net_collect soon, but not from here */
    void (*wake)(void *context);
    /* On the caller's thread, in net_collect: */
    void (*received)(void *context,
                     uint64_t request,
                     const uint8_t *data,
                     size_t size);
    /* it could not be sent, or its pipe is gone */
    void (*lost)(void *context, uint64_t request);
    /* the pipe is gone: so is what was under way */
    void (*disconnected)(void *context);
    /* who listens does not know our token; tried again. NULL is fine */
    void (*unknown)(void *context, const char *why);
} net_handlers;

/* Dials `connect` (join.h's join_find; `store` likewise) and keeps trying for
 * ever. Where tokens are wanted, each connection begins with a greeting, what
 * is sent meanwhile waits, and answers without the right seal are lost ones. A
 * join file is read anew when its tokens count no more. ETNA_E_USAGE for an
 * address that cannot be one, or no worker's token. */
etna_code net_open(const char *connect,
                   const char *store,
                   const net_handlers *handlers,
                   net **ret_net,
                   etna_error *err);
const char *net_address(const net *n); /* that it dials */
/* Sends; `request` is not 0; one of that number that is outstanding is given up
 * first. ETNA_E_NOMEM, ETNA_E_NETWORK. */
etna_code net_send(net *n,
                   uint64_t request,
                   const uint8_t *data,
                   size_t size,
                   etna_error *err);
/* no handler will be called for it any more; fine when it is not outstanding */
void net_drop(net *n, uint64_t request);
/* Calls the handlers for what has happened since; on the caller's thread. */
void net_collect(net *n);
void net_close(net *n); /* NULL is fine. Not from a handler */

#endif
