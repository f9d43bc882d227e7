import {type Graph, layoutOf} from './base/layout.js';

/** A thread that places one graph. It ends with whoever has started it. */
self.onmessage = ({data}: MessageEvent<Graph>) => self.postMessage(layoutOf(data));
