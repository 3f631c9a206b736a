import { sealsIn } from '../../../dialects/conversation/gaps/seals.ts'
import { holdsMarkedSignature } from '../../../dialects/conversation/signatures.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { RelayCall } from '../../call.ts'
import type { SealPlaces } from './seal-places.ts'

/** Ciphertexts that are looked up, from the end of a conversation. */
const most = 200

/** Members in which clients of chat completions return thoughts of OpenAI and of Claude. */
const detailNames = ['reasoning.encrypted', 'anthropic-claude', '"thinking_blocks"'].map((name) => Buffer.from(name))

/** Searches in bytes, which find nothing in most requests. */
const mayHoldSeals = ({ dialect, raw, text, survey, recalled }: RelayCall): boolean => {
  if (recalled !== undefined) return true
  if (dialect?.seals !== undefined) return dialect.seals.names.some((name) => raw.includes(name))
  return (
    detailNames.some((name) => raw.includes(name)) || (survey?.hasMarkedSignature ?? holdsMarkedSignature(text ?? raw))
  )
}

const sealsOf = (call: RelayCall): readonly string[] => {
  const { dialect, body, recalled } = call
  if (dialect === undefined || call.asIs === true || !dialect.paths.isTurn(call.path) || !mayHoldSeals(call)) return []
  const whole = recalled === undefined ? body : (dialect.thoughts?.restored(body, recalled) ?? body)
  if (dialect.seals !== undefined) return dialect.seals.in(whole)
  try {
    return sealsIn(dialect.readRequest(whole, { model: call.model, stream: call.stream }))
  } catch (error) {
    // The error is reported where the call is answered.
    if (error instanceof AppError) return []
    throw error
  }
}

/** The call with the accounts that made its encrypted reasoning; the same call where it has none. */
export const withSeals = (call: RelayCall, memory: SealPlaces): RelayCall => {
  const seals = sealsOf(call).slice(-most)
  if (seals.length === 0) return call
  const places = memory.find(seals)
  return { ...call, sealed: { places, last: seals.map((seal) => places.get(seal)).findLast(Boolean) } }
}
