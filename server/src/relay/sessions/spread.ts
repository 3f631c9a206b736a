/** Spreads the bits of two numbers over 32 (the end of MurmurHash3). */
export const spread = (seed: number, hash: number): number => {
  let value = seed ^ hash
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
