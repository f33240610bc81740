// A checksum of a whole state, the same that `recordings.py` takes: CRC-32 of its numbers as 64-bit floats and of the
// random stream, little-endian, zeros without a sign.
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let bits = byte;
  for (let k = 0; k < 8; k++) bits = bits & 1 ? (bits >>> 1) ^ 0xedb88320 : bits >>> 1;
  return bits;
});

export function checksumOf({ integers, reals, stream }) {
  const numbers = integers.length + reals.length, view = new DataView(new ArrayBuffer(8 * (numbers + 1)));
  [...integers, ...reals].forEach((value, k) => view.setFloat64(8 * k, value + 0, true));
  view.setBigUint64(8 * numbers, BigInt(stream), true);
  let crc = 0xffffffff;
  for (let k = 0; k < view.byteLength; k++) crc = TABLE[(crc ^ view.getUint8(k)) & 0xff] ^ (crc >>> 8);
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}
