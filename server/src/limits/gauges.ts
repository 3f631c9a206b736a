/** Where a limit stands, as headers of answers say it. */
export interface Gauge {
  readonly most: number
  readonly left: number
  /** Milliseconds since 1970 at which all of it is free again. */
  readonly freeAt: number
}

/** The limits of a call that are closest to their end; absent where none counts it. */
export interface Gauges {
  /** Milliseconds since 1970 at which they stood so. */
  readonly at: number
  readonly requests?: Gauge | undefined
  /** Of limits that count input and output together. */
  readonly tokens?: Gauge | undefined
  readonly input?: Gauge | undefined
  readonly output?: Gauge | undefined
}
