// SPDX-License-Identifier: BSD-2-Clause
// The page's data: numbers as bytes that were made smaller, and columns of them as NumPy has them.
/* global DecompressionStream, figure, byId, fill, make, draw, minus, known, fixed, signed, short, plural, showTip,
   hideTip, walkable, choice, table, left, labelled, niceTicks, saveSvg, savePng, theme, keptTheme */
const data = JSON.parse(byId("data").textContent);
const streams = data.streams;

// What deflated() of the program made: rows of 1024 bytes, each behind a 0.
const rowBytes = 1024;
async function unpacked(text) {
    const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const rows = new Uint8Array(await new Response(stream).arrayBuffer());
    const bytes = new Uint8Array(rows.length / (rowBytes + 1) * rowBytes);
    for (let row = 0; row * rowBytes < bytes.length; ++row)
        bytes.set(rows.subarray(row * (rowBytes + 1) + 1, (row + 1) * (rowBytes + 1)), row * rowBytes);
    return bytes;
}

const numberReaders = {
    u1: (view, at) => view.getUint8(at),
    u2: (view, at) => view.getUint16(at, true),
    i2: (view, at) => view.getInt16(at, true),
    u4: (view, at) => view.getUint32(at, true),
    f4: (view, at) => view.getFloat32(at, true),
    f8: (view, at) => view.getFloat64(at, true),
    u8: (view, at) => Number(view.getBigUint64(at, true)),
    i8: (view, at) => Number(view.getBigInt64(at, true)),
};

// "(18,22,2)<i2": 792 numbers of two bytes.
function columnFormat(text) {
    const [, shape, type] = /^(?:\(([\d,]*)\))?[<|]?(\w\d)$/.exec(text);
    const count = (shape || "").split(",").filter(Boolean).reduce((product, side) => product * Number(side), 1);
    return {count, size: Number(type[1]), read: numberReaders[type]};
}

// A picture's columns by name; each is read when it is first asked for.
function columnsOf(dtype, bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), places = new Map(),
          columns = new Map();
    let offset = 0;
    dtype.names.forEach((name, i) => {
        const format = columnFormat(dtype.formats[i]);
        places.set(name, {...format, offset});
        offset += format.count * format.size;
    });
    return (name) => {
        if (!columns.has(name)) {
            const place = places.get(name);
            columns.set(
                name,
                place &&
                    Float64Array.from(
                        {length: place.count}, (_, i) => place.read(view, place.offset + i * place.size)));
        }
        return columns.get(name);
    };
}
