/** What differs between hosts and models of this dialect; what is known of models stands in the table of `dialects/facts`. */
export interface AnthropicCapabilities {
  /** `max_tokens` for requests without one: Anthropic requires it. */
  readonly maxTokens: (model: string) => number
  /** True if pictures and documents may be URLs. */
  readonly urls: boolean
  /** True if answers can be bound to a JSON schema. */
  readonly schemas: (model: string) => boolean
  /** True if the model takes adaptive thinking; older models take a budget in tokens. */
  readonly adaptive: (model: string) => boolean
  /** True if the model takes sampling settings and thinking budgets; newer models refuse both. */
  readonly sampling: (model: string) => boolean
  /** True if instructions may stand among the turns. */
  readonly laterInstructions: (model: string) => boolean
  /** True if temperature and `top_p` may be set together. */
  readonly bothSamplings: (model: string) => boolean
  /** False for hosts that refuse a forced tool beside the thinking of some models. */
  readonly forcedBesideThinking: boolean
}
