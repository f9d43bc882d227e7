/** The host of a peer as the library gives it, `host:port`. */
export const hostOfPeer = (peer: string): string => peer.replace(/:\d+$/, '');
