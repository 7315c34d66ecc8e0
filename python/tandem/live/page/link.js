// SPDX-License-Identifier: BSD-2-Clause
// The socket to the server: comes back by itself, sends frames only as fast as they are answered.
import { packFrame, unpackAnswer } from "./wire.js";

const mostUnanswered = 2; // Frames on their way: one is searched while the next comes.
const lostAfter = 3000; // Milliseconds; then an answer is no longer waited for.
const firstPause = 400, longestPause = 4000; // Milliseconds before the next try.

/** `on`: hello(greeting), answer(answer), message(object), state("open" | "closed", reason). */
export class Link {
    constructor(on) {
        this.on = on;
        this.pause = firstPause;
        this.unanswered = new Map(); // Number -> when it was sent.
        this.open();
    }

    open() {
        const address = new URL("socket", location.href);
        address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
        address.search = address.hash = "";
        this.socket = new WebSocket(address);
        this.socket.binaryType = "arraybuffer";
        this.socket.onmessage = ({ data }) => (typeof data === "string" ? this.hear(JSON.parse(data)) : this.take(unpackAnswer(data)));
        this.socket.onclose = ({ reason }) => {
            this.unanswered.clear();
            this.on.state("closed", reason);
            setTimeout(() => this.open(), this.pause);
            this.pause = Math.min(2 * this.pause, longestPause);
        };
    }

    hear(message) {
        if (message.unsearched !== undefined) this.settle(message.unsearched);
        if (message.hello) {
            this.pause = firstPause;
            this.on.state("open", "");
            this.on.hello(message.hello);
        } else {
            this.on.message(message);
        }
    }

    take(answer) {
        this.say({ got: answer.number });
        this.settle(answer.number);
        this.on.answer(answer);
    }

    /** An answer settles the frames before it too: they were overtaken. */
    settle(number) {
        for (const one of [...this.unanswered.keys()]) if (one <= number) this.unanswered.delete(one);
    }

    get isOpen() { return this.socket.readyState === WebSocket.OPEN; }

    say(message) {
        if (this.isOpen) this.socket.send(JSON.stringify(message));
    }

    /** Whether the frame was sent; one that was not is left out. */
    send(frame) {
        const now = performance.now();
        for (const [number, then] of [...this.unanswered]) if (now - then > lostAfter) this.unanswered.delete(number);
        if (!this.isOpen || this.unanswered.size >= mostUnanswered || this.socket.bufferedAmount > 0) return false;
        this.unanswered.set(frame.number, now);
        this.socket.send(packFrame(frame));
        return true;
    }
}
