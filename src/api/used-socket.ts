import { subscribe } from 'node:diagnostics_channel';

let known: WeakSet<object> | undefined;
/** The request that undici is about to write: on which socket it says right after, on a channel of Node's alone. */
let starting: SocketUse | undefined;

/** The connection of one request: whether another request went over it before. */
export class SocketUse {
  #used = false;

  constructor() {
    if (known !== undefined) return;
    const sockets = new WeakSet<object>();
    known = sockets;
    subscribe('undici:client:sendHeaders', (message) => {
      const { socket } = message as { socket: object };
      if (starting !== undefined) starting.#used = sockets.has(socket);
      starting = undefined;
      sockets.add(socket);
    });
  }

  /** To be called when undici begins with the request. */
  starts(): void {
    starting = this;
  }

  used(): boolean {
    return this.#used;
  }
}
