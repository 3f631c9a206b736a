import type { StoragePlace } from '../../lib/places/storage-place.ts'
import { decryptPiece, encryptPiece, tagBytes } from './piece-cipher.ts'
import { type ByteStore, pieceBytes } from './pieces.ts'

const piecesOfObject = 4

/** Bytes of a file in one object. Names and lengths of objects rest on it, so that it stays as it is. */
const objectBytes = piecesOfObject * pieceBytes

/** Objects that are deleted at once. */
const atOnce = 8

/** A folder of a file system takes a 256th of all names. */
const nameOf = (objectName: string, index: number): string => `${objectName.slice(0, 2)}/${objectName}.${index}`

/** Names of all objects of so many bytes, and the name behind them: its object may have been written before its row was. */
const namesOf = (objectName: string, bytes: number): string[] =>
  Array.from({ length: Math.ceil(bytes / objectBytes) + 1 }, (_, index) => nameOf(objectName, index))

const encrypted = (key: Buffer, start: number, bytes: Buffer): Buffer => {
  const object = Buffer.allocUnsafe(bytes.length + Math.ceil(bytes.length / pieceBytes) * tagBytes)
  let length = 0
  for (let from = 0; from < bytes.length; from += pieceBytes)
    length += encryptPiece(
      { key, start: start + from },
      bytes.subarray(from, from + pieceBytes),
      object.subarray(length),
    )
  return object
}

/** Bytes of files as objects of some pieces each, in a folder or a bucket. */
export const openObjectBytes = (place: Pick<StoragePlace, 'put' | 'readRange'>): ByteStore => ({
  blockBytes: objectBytes,

  write: ({ objectName, key }, start, bytes) =>
    place.put(nameOf(objectName, start / objectBytes), encrypted(key, start, bytes)),

  async *read({ objectName, key }, { from, end }) {
    const packedPiece = pieceBytes + tagBytes
    for (let start = from - (from % pieceBytes); start < end; ) {
      const index = Math.floor(start / objectBytes)
      const first = (start - index * objectBytes) / pieceBytes
      const range = { from: first * packedPiece, end: piecesOfObject * packedPiece }
      const packed = await place.readRange(nameOf(objectName, index), range)
      if (packed === undefined) return
      for (let at = 0; at < packed.length; at += packedPiece) {
        const bytes = decryptPiece(key, start, packed.subarray(at, at + packedPiece))
        yield from > start ? bytes.subarray(from - start) : bytes
        start += pieceBytes
      }
      if (start < end && start < (index + 1) * objectBytes) return
    }
  },
})

/** Deletes the objects of a file. */
export const removeObjects = async (
  place: Pick<StoragePlace, 'remove'>,
  { objectName, bytes }: { readonly objectName: string; readonly bytes: number },
): Promise<void> => {
  const names = namesOf(objectName, bytes)
  for (let from = 0; from < names.length; from += atOnce)
    await Promise.all(names.slice(from, from + atOnce).map((name) => place.remove(name)))
}
