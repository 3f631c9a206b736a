import { hash } from 'node:crypto'
import { thoughtsAt } from '../../../dialects/facts/models.ts'
import type { RelayChannel } from '../../ports.ts'

/** The account that made a piece of encrypted reasoning. */
export interface SealPlace {
  readonly channelId: number
  /** Hash of the channel's key. */
  readonly keyName: string
}

/** Encrypted reasoning of a request. */
export interface SealedReasoning {
  /** Maker of each known ciphertext. */
  readonly places: ReadonlyMap<string, SealPlace>
  /** Maker of the latest ciphertext; undefined where it is unknown. */
  readonly last: SealPlace | undefined
}

/** Hash of a channel key, which does not reveal it. */
export const nameOfKey = (key: string): string => hash('sha256', `tollgate key ${key}`, 'hex').slice(0, 32)

/** The account of a channel and key. */
export const placeOfKey = ({ id }: Pick<RelayChannel, 'id'>, key: string): SealPlace => ({
  channelId: id,
  keyName: nameOfKey(key),
})

const isAt = (place: SealPlace, other: SealPlace): boolean =>
  place.channelId === other.channelId && place.keyName === other.keyName

/** Ciphertexts that this account cannot decrypt; empty for none, and where unknown. */
export const unreadableAt = (
  { places }: SealedReasoning,
  channel: Pick<RelayChannel, 'id'>,
  key: string,
): ReadonlySet<string> => {
  const here = placeOfKey(channel, key)
  const unreadable = new Set<string>()
  for (const [seal, place] of places) if (!isAt(place, here)) unreadable.add(seal)
  return unreadable
}

/** Key of the channel that made the latest ciphertext; undefined where another channel did, or the key is gone. */
export const keyOfSeals = (
  sealed: SealedReasoning | undefined,
  { id, keys }: Pick<RelayChannel, 'id' | 'keys'>,
): string | undefined =>
  sealed?.last?.channelId === id ? keys.find((key) => nameOfKey(key) === sealed.last?.keyName) : undefined

interface Refusal {
  readonly code: string
  readonly message: string
}

const refusesEncrypted = ({ code, message }: Refusal): boolean =>
  code === 'invalid_encrypted_content' ||
  /invalid_encrypted_content|encrypted content .{0,80}(could not be|organization|cannot be)/i.test(message)

/**
 * True for Anthropic's refusal of a thinking block whose context has changed: status 400 with `invalid_request_error`
 * (platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation).
 */
const refusesThoughts = ({ message }: Refusal): boolean =>
  /invalid `?signature`? in `?(redacted_)?thinking`? block/i.test(message)

/** True if a provider refused because it cannot decrypt the reasoning. `model` is the asked one. */
export const refusesSeals = (refusal: Refusal, model: string): boolean =>
  refusesEncrypted(refusal) || (refusesThoughts(refusal) && thoughtsAt(model) !== 'free')
