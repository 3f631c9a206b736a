import { hash } from 'node:crypto'
import { thoughtsAt } from '../../../dialects/facts/claude-thoughts.ts'
import type { RelayChannel } from '../../ports.ts'

/** The account that made a piece of encrypted reasoning. */
export interface SealPlace {
  readonly channelId: number
  /** Names the key of the channel without telling it. */
  readonly keyName: string
}

/** Encrypted reasoning of a request. */
export interface SealedReasoning {
  /** Where each ciphertext was made, as far as it is remembered. */
  readonly places: ReadonlyMap<string, SealPlace>
  /** Where the latest was made; undefined where nobody remembers. */
  readonly last: SealPlace | undefined
}

export const nameOfKey = (key: string): string => hash('sha256', `tollgate key ${key}`, 'hex').slice(0, 32)

export const placeOfKey = ({ id }: Pick<RelayChannel, 'id'>, key: string): SealPlace => ({
  channelId: id,
  keyName: nameOfKey(key),
})

const isAt = (place: SealPlace, other: SealPlace): boolean =>
  place.channelId === other.channelId && place.keyName === other.keyName

/** The ciphertexts that this account cannot read; empty where it reads all, or nobody knows. */
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

/** The key of the channel that made the latest of it; undefined where another channel did, or the key is gone. */
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
 * Anthropic says it with status 400 and `invalid_request_error` where what stands before a thought is not what its model has read
 * (platform.claude.com/docs/en/build-with-claude/preserved-thinking/fix-bound-to-a-different-conversation).
 */
const refusesThoughts = ({ message }: Refusal): boolean =>
  /invalid `?signature`? in `?(redacted_)?thinking`? block/i.test(message)

/** True if a provider refused because it cannot read the reasoning. `model` is the one that was asked. */
export const refusesSeals = (refusal: Refusal, model: string): boolean =>
  refusesEncrypted(refusal) || (refusesThoughts(refusal) && thoughtsAt(model) !== 'free')
