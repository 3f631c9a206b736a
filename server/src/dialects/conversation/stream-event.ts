import type { ToolCalls, Usage } from '../../billing/usage.ts'
import type { Citation, ClientToolType, DialectName, Finish, ImagePart, OpaquePart } from './conversation.ts'
import type { JsonObject } from './json.ts'

/** An event of one choice; `choice` is 0 unless the client requests several answers. */
interface OfChoice {
  readonly choice: number
}

/**
 * An event of a stream, in a form that all dialects share. Text, thinking and tool calls come in the model's order; an event of
 * another kind ends the current one. `finish` comes once per choice. `end` comes once and last, unless the stream broke.
 */
export type StreamEvent =
  | {
      readonly kind: 'start'
      readonly id: string
      readonly model: string
      /** Unix seconds; 0 when unknown. */
      readonly created: number
      readonly fingerprint?: string
      readonly serviceTier?: string
      /** Billed calls of provider tools that are certain at the start. */
      readonly tools?: ToolCalls
      /** True if the upstream sends searches after the text that cites them. */
      readonly searchesLast?: true
    }
  | (OfChoice & {
      readonly kind: 'text'
      readonly text: string
      readonly logprobs?: unknown
      readonly signature?: string
    })
  | (OfChoice & { readonly kind: 'refusal'; readonly text: string })
  /** `signature` and `encrypted` close the current thinking block, except for an `encrypted` block that `standsAlone`. */
  | (OfChoice & {
      readonly kind: 'thinking'
      readonly text: string
      readonly signature?: string
      readonly encrypted?: string
      readonly id?: string
      /** Dialect of the provider that signed it. */
      readonly by?: DialectName
    })
  /** Starts a tool call; `index` counts the calls of the choice from 0. */
  | (OfChoice & {
      readonly kind: 'tool_call'
      readonly index: number
      readonly id: string
      readonly name: string
      /** As in `ToolCallPart`. */
      readonly namespace?: string
      readonly clientTool?: ClientToolType
      readonly custom?: true
      readonly signature?: string
    })
  | (OfChoice & { readonly kind: 'arguments'; readonly index: number; readonly text: string })
  | (OfChoice & { readonly kind: 'citation'; readonly citation: Citation })
  | (OfChoice & { readonly kind: 'part'; readonly part: ImagePart | OpaquePart })
  /** A piece of speech: base64 data, its transcript, or both. */
  | (OfChoice & { readonly kind: 'audio'; readonly data?: string; readonly transcript?: string; readonly id?: string })
  | (OfChoice & {
      readonly kind: 'finish'
      readonly finish: Finish
      readonly stopSequence?: string
      /** As in `AnswerChoice`. */
      readonly explanation?: string
    })
  /**
   * The last usage event counts. `isOpening` is set where it is stated before anything was said, `isStandard` where it states the
   * standard tier, which has no name.
   */
  | { readonly kind: 'usage'; readonly usage: Usage; readonly isOpening?: true; readonly isStandard?: true }
  | {
      readonly kind: 'error'
      readonly type: string
      readonly message: string
      readonly code?: string
      /** As in `UpstreamError`. */
      readonly status?: number
      /** The provider's error object, which may contain a time to retry. */
      readonly own?: JsonObject
    }
  | { readonly kind: 'end' }

/** True if the event holds something of the answer: not only its frame, its end or its figures. */
export const saysSomething = (event: StreamEvent): boolean => {
  switch (event.kind) {
    case 'text':
      return event.text !== '' || event.signature !== undefined
    case 'thinking':
      return event.text !== '' || event.signature !== undefined || (event.encrypted ?? '') !== ''
    case 'refusal':
    case 'arguments':
      return event.text !== ''
    case 'audio':
      return (event.data ?? event.transcript ?? '') !== ''
    default:
      return event.kind === 'tool_call' || event.kind === 'citation' || event.kind === 'part'
  }
}

/** True if an encrypted thinking event is a block by itself. Anthropic's encrypted blocks have no summary before them. */
export const standsAlone = ({ encrypted, by, text }: Extract<StreamEvent, { kind: 'thinking' }>): boolean =>
  encrypted !== undefined && (by === 'anthropic' || text !== '')

/** An error of a stream as an error object: the provider's values under OpenAI's names. */
export const errorObject = ({ message, type, code, own }: Extract<StreamEvent, { kind: 'error' }>): JsonObject => ({
  ...own,
  message,
  type,
  code: code ?? null,
})

/** A report of usage, and whether it states the standard tier. */
export const usageEvent = (usage: Usage, isStandard: boolean): StreamEvent =>
  isStandard ? { kind: 'usage', usage, isStandard } : { kind: 'usage', usage }
