/** Where providers of this dialect, and models, differ. */
export interface AnthropicCapabilities {
  /** For clients that name none: the dialect demands a bound. */
  readonly maxTokens: (model: string) => number
  /** Whether pictures and documents may be addresses. */
  readonly urls: boolean
  /** Whether answers can be bound to a schema. */
  readonly schemas: (model: string) => boolean
  /** Whether the model decides by itself how long it thinks; older ones take a budget. */
  readonly adaptive: (model: string) => boolean
  /** Whether it takes sampling, and budgets; newer ones refuse both. */
  readonly sampling: (model: string) => boolean
  /** Whether it takes temperature and `top_p` at once. */
  readonly bothSamplings: (model: string) => boolean
}
