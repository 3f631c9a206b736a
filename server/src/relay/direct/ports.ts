import type { Maker } from '../reader.ts'

/** An object in the account of a provider. */
export interface ObjectName {
  /** Kind of its collection. */
  readonly kind: string
  readonly id: string
}

/** Key of an object in maps: `files/abc`. */
export const nameText = ({ kind, id }: ObjectName): string => `${kind}/${id}`

/** Maker and account of an object. */
export interface MadeObject {
  readonly maker: Maker
  readonly channelId: number
  /** Keyed hash of the channel key that made it; empty where it is not known which of several did. */
  readonly keyHash: string
}

/** Makers of the objects in the accounts of channels: in memory at once, in the database a moment later. */
export interface MadeObjects {
  /** False where nothing was ever made. */
  readonly any: boolean
  /** Notes the maker of objects. An id of two makers belongs to neither. `key` is undefined where it is unknown which key created them. */
  note(
    names: readonly ObjectName[],
    maker: Maker,
    place: { readonly channelId: number; readonly key: string | undefined },
  ): void
  /** Makers by `nameText`; unknown objects are missing. */
  find(names: readonly ObjectName[]): Promise<ReadonlyMap<string, readonly MadeObject[]>>
  /** Called once the provider has deleted an object. Never rejects. */
  remove(name: ObjectName, place: MadePlace): Promise<void>
}

/** A channel, and the hashes of its keys. */
export interface MadePlace {
  readonly channelId: number
  readonly keyHashes: ReadonlySet<string>
}

/** True if an object is in the account of a channel: created there, or with one of its keys through another channel. */
export const isAt = ({ channelId, keyHash }: MadeObject, place: MadePlace): boolean =>
  channelId === place.channelId || (keyHash !== '' && place.keyHashes.has(keyHash))
