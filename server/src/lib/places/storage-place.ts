import type { Readable } from 'node:stream'

/**
 * Storage of things by name: a folder, or a bucket. Names may have slashes. Every method throws an Error with a sentence where the
 * storage cannot be reached or refuses; requests that it answers with an overload or a fault of its own are repeated first.
 */
export interface StoragePlace {
  /** Stores all or nothing under a name, in place of what was there. */
  write(name: string, bytes: Readable): Promise<void>
  /** The same of bytes that are in memory already, in one request. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Throws where there is nothing of this name. */
  read(name: string): Promise<Readable>
  /**
   * Bytes from an offset to before `end`, fewer where there are no more; undefined where there is nothing of this name. Nothing
   * beside them is transferred.
   */
  readRange(name: string, range: { readonly from: number; readonly end: number }): Promise<Buffer | undefined>
  /** The names of everything there; a folder leaves out what stands in folders below it. */
  names(): Promise<readonly string[]>
  /**
   * Deletes it, with what a process that was killed while it wrote has left of it. Does nothing where there is nothing of this name.
   */
  remove(name: string): Promise<void>
}
