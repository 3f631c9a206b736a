import type { ToolCalls, Usage } from '../../billing/usage.ts'
import type { Citation, ClientToolType, DialectName, Finish, ImagePart, OpaquePart } from './conversation.ts'

/** Of one choice; 0 unless the client asked for several answers. */
interface OfChoice {
  readonly choice: number
}

/**
 * What happens in a stream, whoever sends it. Text, thinking and calls come in the order in which the model made them; a
 * different kind ends the one before. `finish` comes once per choice, `end` once and last unless the stream broke.
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
      /** Calls of the provider's own tools that are certain already. */
      readonly tools?: ToolCalls
      /** True if searches are told only after the text that they led to. */
      readonly searchesLast?: true
    }
  | (OfChoice & {
      readonly kind: 'text'
      readonly text: string
      readonly logprobs?: unknown
      readonly signature?: string
    })
  | (OfChoice & { readonly kind: 'refusal'; readonly text: string })
  /** `signature` closes a thought, and so does `encrypted`, unless it stands alone. */
  | (OfChoice & {
      readonly kind: 'thinking'
      readonly text: string
      readonly signature?: string
      readonly encrypted?: string
      readonly id?: string
      /** Whose signature it is. */
      readonly by?: DialectName
    })
  /** Begins a call; `index` counts the calls of the choice from 0. */
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
  /** A piece of speech: base64 of bytes, its words, or both. */
  | (OfChoice & { readonly kind: 'audio'; readonly data?: string; readonly transcript?: string; readonly id?: string })
  | (OfChoice & { readonly kind: 'finish'; readonly finish: Finish; readonly stopSequence?: string })
  /** The last one counts. */
  | { readonly kind: 'usage'; readonly usage: Usage }
  | {
      readonly kind: 'error'
      readonly type: string
      readonly message: string
      readonly code?: string
      /** As in `UpstreamError`. */
      readonly status?: number
    }
  | { readonly kind: 'end' }

/** Whether nothing that was thought before belongs to it: Anthropic's unreadable thoughts have no summary. */
export const standsAlone = ({ encrypted, by, text }: Extract<StreamEvent, { kind: 'thinking' }>): boolean =>
  encrypted !== undefined && (by === 'anthropic' || text !== '')
