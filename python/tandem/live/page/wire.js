// SPDX-License-Identifier: BSD-2-Clause
// The binary records on the socket: tandem/live/wire.py has their table. Typed arrays are views of the record.
const frameHeader = 24, answerHeader = 64;
const frameMagic = 0x31464C54, answerMagic = 0x31414C54; // "TLF1" and "TLA1".
const pictureFollows = 1, predictionFollows = 2, fieldsDiffer = 4, searchedAgain = 8;

/** `frame`: { number, time (milliseconds), width, height, samples (Uint8Array of luma) }. */
export function packFrame({ number, time, width, height, samples }) {
    const record = new Uint8Array(frameHeader + samples.length), view = new DataView(record.buffer);
    view.setUint32(0, frameMagic, true);
    view.setUint32(4, number, true);
    view.setUint16(8, width, true);
    view.setUint16(10, height, true);
    view.setFloat64(16, time, true);
    record.set(samples, frameHeader);
    return record;
}

/** An answer with its fields as drawing/field.js wants them. Throws for a record that is none. */
export function unpackAnswer(record) {
    const view = new DataView(record);
    if (record.byteLength < answerHeader || view.getUint32(0, true) !== answerMagic) throw new Error("a record that is no answer");
    const [width, height, blockWidth, blockHeight, columns, rows, candidates, count] =
        Array.from({ length: 8 }, (_, i) => view.getUint16(16 + 2 * i, true));
    const [firstMs, secondMs, psnr, psnrUnmoved, serverMs] = Array.from({ length: 5 }, (_, i) => view.getFloat32(32 + 4 * i, true));
    const flags = view.getUint32(52, true), blocks = rows * columns * candidates;
    let place = answerHeader;
    const next = (Type, length) => {
        const array = new Type(record, place, length);
        place += array.byteLength + (-array.byteLength & 3);
        return array;
    };
    const fields = Array.from({ length: count }, () => ({ width, height, blockWidth, blockHeight, columns, rows, candidates,
        vectors: next(Int16Array, 2 * blocks), costs: next(Uint32Array, blocks), distortions: next(Uint32Array, blocks) }));
    return { number: view.getUint32(4, true), time: view.getFloat64(8, true), width, height, fields,
        searchMs: [firstMs, secondMs].slice(0, count), psnr, psnrUnmoved, serverMs,
        reference: view.getUint32(56, true), serial: view.getUint32(60, true),
        fieldsDiffer: Boolean(flags & fieldsDiffer), isAgain: Boolean(flags & searchedAgain),
        picture: flags & pictureFollows ? next(Uint8Array, width * height) : null,
        prediction: flags & predictionFollows ? next(Uint8Array, width * height) : null };
}
