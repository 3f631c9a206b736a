import type { Effort } from '../conversation/conversation.ts'

/**
 * Facts about a family of models: one row for each family, with the page or issue that documents it. The gateway changes a call only
 * where a row states a limit. Rows stand in the files of this folder; `models.ts` lists them and finds the row of a model. The first row
 * that matches counts, and each maker's last row stands for its newest models, so unknown names get the newest rules.
 * docs/adding-a-provider.md describes how a row is added.
 */
export interface ModelFacts {
  /** Matches model names after the channel's model mapping. */
  readonly models: RegExp
  /** URL of the page that documents the limits. */
  readonly source: string
  /** The day on which the page was read, as in 2026-11-23. */
  readonly read: string

  // Limits of the maker's own API. They count where the model has its maker's name, without the name of a host before it.
  /** The only field that limits output tokens; models accept both when absent. */
  readonly limit?: 'max_tokens' | 'max_completion_tokens'
  /** The only role for instructions; `developer` replaces the role of the first message. */
  readonly instructions?: 'system' | 'developer'
  /** Accepted values of `reasoning_effort`, ascending; an empty list if the field is refused. */
  readonly efforts?: readonly Effort[]
  /** The effort of a call that names none; `none` when absent. */
  readonly usualEffort?: Effort
  /** When the model accepts temperature, `top_p`, penalties and log probabilities; always when absent. */
  readonly sampling?: 'unthinking' | 'never'
  /** The only accepted temperature. */
  readonly temperature?: number
  readonly stop?: false
  /** False if the model refuses `n` above 1. */
  readonly several?: false
  readonly parallelCalls?: false
  /** The best answer format of models without JSON schemas: a JSON object, or only text. */
  readonly formats?: 'object' | 'text'
  /** When chat completions accept functions; always when absent. */
  readonly chatTools?: 'unthinking' | 'never'
  /** `responses` if the model is not available in chat completions. */
  readonly language?: 'responses'
  /** True if the client may mark what to cache (prompt_cache_breakpoint). */
  readonly breakpoints?: true
  /** The API in which the model searches the web: responses when absent, `none` if neither. */
  readonly search?: 'chat' | 'none'
  /** Members that the maker's API refuses, also when they are null. */
  readonly refused?: RefusedMembers

  // Facts about the model itself, at every host.
  /** How thinking is set in chat completions; models are asked by `reasoning_effort` or not at all when absent. */
  readonly thinking?: ThinkingFacts
  /** True if its maker's API writes thoughts into the text, between tags at the beginning. */
  readonly thoughtTags?: true
  /** False if the model's template takes instructions at the beginning only, in one message. */
  readonly laterInstructions?: false
  /** True if the assistant has to answer the results of tools before the user goes on. */
  readonly answersResults?: true
  /** The member that marks a last turn of the assistant as the beginning of the answer; such a turn is refused without it. */
  readonly prefix?: 'prefix'
  /** True if a call in the history without the reasoning before it (`reasoning_content`) is refused. */
  readonly wantsThoughts?: true
  /** True if the schema of a tool may not have `anyOf`, `oneOf` or `allOf` at its root. */
  readonly plainRoots?: true
  /** Tokens of a prompt below which it is not cached; undefined where the provider is not known to cache. */
  readonly cacheMinimum?: number
  readonly claude?: ClaudeFacts
  readonly gemini?: GeminiFacts
}

/** Names of members that a strict API refuses. */
export interface RefusedMembers {
  readonly request: ReadonlySet<string>
  /** Members of messages, by role. */
  readonly messages: Readonly<Record<string, ReadonlySet<string>>>
  /** Members that exist under another name: `seed` → `random_seed`. */
  readonly renamed: Readonly<Record<string, string>>
}

/**
 * The members that switch thinking: Anthropic's `thinking`, Qwen's `enable_thinking`, OpenAI's `reasoning_effort`, or flags of the
 * template (`chat_template_kwargs`).
 */
export type ThinkingSwitch = 'thinking' | 'enable_thinking' | 'reasoning_effort' | 'chat_template_kwargs'

/** Tokens. */
export interface ThinkingBudget {
  readonly least: number
  readonly most: number
}

export interface ThinkingFacts {
  /** `default`: unless the request switches it off. `asked`: only if the request switches it on. */
  readonly when: 'always' | 'default' | 'asked' | 'never'
  /** The switch of the maker's own API, and of hosts that are not known to have another one. */
  readonly switch: ThinkingSwitch
  /** The value of `thinking.type` that switches it on; `enabled` when absent. */
  readonly on?: 'adaptive'
  /** The template's flag; `enable_thinking` when absent. */
  readonly flag?: 'thinking'
  /** Accepted values of `reasoning_effort` beside the switch, ascending; none when absent. */
  readonly efforts?: readonly Effort[]
  /** Efforts that the maker's API takes for another one than the nearest. */
  readonly equalEfforts?: Readonly<Partial<Record<Effort, Effort>>>
  /** Bounds of `thinking_budget`; the model has none when absent. */
  readonly budget?: ThinkingBudget
  /** False if a model that thinks refuses `tool_choice` to force a call. */
  readonly forcedTools?: false
}

/** How Claude thinks, in Anthropic's Messages. */
export interface ClaudeFacts {
  /** False for models that cannot think. */
  readonly thinks: boolean
  /** True if the model takes adaptive thinking; older models take a budget in tokens. */
  readonly adaptive: boolean
  /** True if the model takes sampling settings and thinking budgets; newer models refuse both. */
  readonly sampling: boolean
  /** True if temperature and `top_p` may be set together. */
  readonly bothSamplings: boolean
  /** True if answers can be bound to a JSON schema. */
  readonly schemas: boolean
  /** True if instructions may stand among the turns. */
  readonly laterInstructions: boolean
  /** How thinking is switched off: by not asking for it, by this type of `thinking`, or not at all. */
  readonly stopped: 'unasked' | 'disabled' | 'between_tools' | 'never'
  /** False if `tool_choice` may not force a call. */
  readonly forcesTools: boolean
  /** True if summaries of thoughts come only when the request asks for them (`thinking.display`). */
  readonly hidesThoughts: boolean
  /** True if hosts other than Anthropic refuse a forced tool beside adaptive thinking. */
  readonly hostsForceOrThink: boolean
  /**
   * Context that must be unchanged since the model wrote a thought: everything before it (`prefix`), and the account as well
   * (`account`). A thought of another account is ignored; one with a changed prefix is refused.
   */
  readonly thoughts: 'free' | 'prefix' | 'account'
  /** The greatest max_tokens. */
  readonly mostOutput: number
}

/** How Gemini thinks, in generateContent. */
export interface GeminiFacts {
  readonly thinks: boolean
  /** The accepted thinking levels, ascending; older models take a budget only. */
  readonly levels?: readonly Effort[]
  /** Budgets that the model accepts. */
  readonly budget?: ThinkingBudget
  /** True if a budget of 0 switches thinking off. */
  readonly canStop: boolean
}

/** True if the model reasons at this effort, or by default if the call names no effort. */
export const isThinking = ({ usualEffort = 'none' }: ModelFacts, effort: string | undefined): boolean =>
  (effort ?? usualEffort) !== 'none'

/** True if a call may have temperature, `top_p`, penalties and log probabilities. */
export const takesSampling = (facts: ModelFacts, effort: string | undefined): boolean =>
  facts.sampling === undefined || (facts.sampling === 'unthinking' && !isThinking(facts, effort))

/** True if chat completions accept functions in a call with this effort. */
export const takesChatTools = (facts: ModelFacts, effort: string | undefined): boolean =>
  facts.chatTools === undefined || (facts.chatTools === 'unthinking' && !isThinking(facts, effort))

/** True if the model searches the web in this API. */
export const searchesIn = (facts: ModelFacts | undefined, api: 'chat' | 'responses'): boolean =>
  api === 'chat' ? facts?.search === 'chat' : facts?.search === undefined

const levels: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The accepted effort nearest to the requested one; the higher of two equally near. undefined if the model accepts none. */
export const nearestEffort = (efforts: readonly Effort[] = levels, requested: Effort): Effort | undefined => {
  const at = levels.indexOf(requested)
  const distance = (effort: Effort): number => Math.abs(levels.indexOf(effort) - at)
  return efforts.toReversed().toSorted((a, b) => distance(a) - distance(b))[0]
}

/** The accepted effort that the model's maker takes for the requested one; the nearest one where it says nothing of it. */
export const acceptedEffort = (
  { efforts, equalEfforts = {} }: Pick<ThinkingFacts, 'efforts' | 'equalEfforts'>,
  requested: Effort,
): Effort | undefined => equalEfforts[requested] ?? nearestEffort(efforts, requested)

/** The budget within the bounds. */
export const withinBudget = (budget: number, { least, most }: ThinkingBudget): number =>
  Math.min(most, Math.max(least, budget))
