import type { Generated } from 'kysely'
import type { Id, Time } from './columns.ts'

/** Operators' facts about a model, which replace the built-in ones. */
export interface ModelCardsTable {
  id: Id
  model: string
  /** JSON. */
  fields: string
  changed_time: Time
}

/** Names that stand for lists of models and channels. */
export interface VirtualModelsTable {
  id: Id
  name: string
  /** JSON of everything else. */
  spec: string
  changed_time: Time
}

/** The price lists of a version of the product, packed with their matchers. */
export interface PriceListsTable {
  id: Id
  created_at: Time
  name: string
  /** SHA-256 of the content: a list is stored once. */
  digest: string
  data: string
}

/** Changed list prices: proposed, then applied or discarded. */
export interface PriceVersionsTable {
  id: Id
  created_at: Time
  /** When it was applied or discarded; 0 before. */
  decided_at: Generated<Time>
  /** From when it counts; 0 is the beginning. */
  effective_from: Generated<Time>
  /** `shipped`, `sync` or `undo`. */
  kind: string
  source: string
  /** `proposed`, `applied`, `undone` or `discarded`. */
  status: string
  /** The row of `price_lists` that it brings; 0 for none. */
  list_id: Generated<number>
  /** The version that it takes back; 0 for none. */
  undoes: Generated<number>
  /** 0 is the server itself. */
  actor_id: Generated<number>
  actor_name: string
}

export interface PriceChangesTable {
  id: Id
  version_id: number
  provider: string
  model: string
  /** JSON, see `storedPrice`; empty for none. */
  before: string
  after: string
  /** JSON: why it needs a decision of its own. */
  doubts: string
  /** `apply`, `keep`, or empty while a decision is due. */
  decision: string
}

/** Models, virtual models and their prices. */
export interface ModelTables {
  model_cards: ModelCardsTable
  virtual_models: VirtualModelsTable
  price_lists: PriceListsTable
  price_versions: PriceVersionsTable
  price_changes: PriceChangesTable
}
