import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject } from '../../../dialects/conversation/json.ts'

/** Events of clients of Gemini Live, whose members may be written in two ways, as everywhere in Google's JSON (ai.google.dev/api/live). */

const member = (event: JsonObject, name: string, snakeName: string): JsonObject | undefined => {
  const value = ownMember(event, name) ?? ownMember(event, snakeName)
  return isObject(value) ? value : undefined
}

/** Conversation turns in a client's event; undefined for other events. */
export const clientContent = (event: JsonObject): JsonObject | undefined =>
  member(event, 'clientContent', 'client_content')

/** Sound, video or text in a client's event; undefined for other events. */
export const realtimeInput = (event: JsonObject): JsonObject | undefined =>
  member(event, 'realtimeInput', 'realtime_input')

/** Tool results in a client's event; undefined for other events. */
export const toolResponse = (event: JsonObject): JsonObject | undefined =>
  member(event, 'toolResponse', 'tool_response')
