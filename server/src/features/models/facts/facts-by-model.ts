export interface CatalogueFacts {
  readonly description: string
  /** Tokens; 0 where it is not known. */
  readonly context: number
}

/** Provider and model, as the catalogue of prices names them, to what else it says about the model. */
export type FactsByModel = ReadonlyMap<string, CatalogueFacts>

export const factsKey = (provider: string, model: string): string => `${provider}\0${model}`
