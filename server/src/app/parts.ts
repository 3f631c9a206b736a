import type { TokenCounter } from '../billing/counting/token-counter.ts'
import type { ChannelPrices } from '../billing/upstream/channel-prices.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Audit } from '../features/audit/audit.ts'
import type { LiveDeclarations } from '../features/declared-usage/live.ts'
import type { Groups } from '../features/groups/groups.ts'
import type { Options } from '../features/options/options.ts'
import type { PriceLists } from '../features/price-lists/price-lists.ts'
import type { PriceOptions } from '../features/pricing/price-options.ts'
import type { PresentSources } from '../gateway/plan/plan-check.ts'
import type { On } from '../http/route.ts'
import type { JobEnds } from '../jobs/job-ends.ts'
import type { JobFigures } from '../jobs/job-figures.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Bus } from '../lib/redis/bus.ts'
import type { SharedRedis } from '../lib/redis/redis-client.ts'
import type { EgressGuard } from '../lib/security/egress.ts'
import type { Secrets } from '../lib/security/secrets.ts'
import type { NeighbourWatch } from '../neighbours/signs-of-life.ts'
import type { MadeObjects } from '../relay/direct/ports.ts'
import type { SourceVersion } from '../relay/plan/source-version.ts'
import type { Prices, RelayOptions } from '../relay/ports.ts'
import type { StoredResponses } from '../relay/routing/stored-responses.ts'
import type { KeptFiles } from '../relay/stored/kept-files.ts'
import type { StoredObjects } from '../relay/stored/ports.ts'
import type { TaskOptions } from '../relay/tasks/ports.ts'
import type { Upstream } from '../relay/upstream/upstream.ts'
import type { PrimaryLink } from '../workers/primary-link.ts'

/** Parts that both HTTP sides share, the relay's and the console's. */
export interface SharedParts {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  readonly secrets: Secrets
  readonly bus: Bus
  /** Counters that several nodes share; undefined on a node of its own. */
  readonly redis: SharedRedis | undefined
  /** By this windows of limits begin: the time of Redis where several nodes count together, else `clock`. */
  readonly countingClock: Clock
  /** The process that supervises this worker; undefined where the node is one process. */
  readonly primary: PrimaryLink | undefined
  readonly audit: Audit
  readonly options: Options
  readonly groups: Groups
  /** Bumped when options, channels, virtual models, price lists, declared usages or limits are replaced. */
  readonly sources: SourceVersion
  readonly ledger: Ledger
  readonly prices: Prices
  /** Prices of providers for the calls of channels. */
  readonly costs: ChannelPrices
  /** The options that make the prices, with the price lists: a new object when one changes. */
  readonly priceOptions: () => PriceOptions
  readonly declarations: LiveDeclarations
  readonly priceLists: PriceLists
  readonly relayOptions: () => RelayOptions
  /** Options and prices as they are, whatever version was read; the plans of calls are compared with them. */
  readonly present: PresentSources
  readonly upstream: Upstream
  readonly counter: TokenCounter
  readonly storedResponses: StoredResponses
  readonly storedObjects: StoredObjects
  readonly madeObjects: MadeObjects
  /** Files that keys store at the gateway. */
  readonly keptFiles: KeptFiles
  /** Ends of work that no client waits for. */
  readonly jobEnds: JobEnds
  /** Figures of such work, for metrics. */
  readonly jobFigures: JobFigures
  readonly taskOptions: () => TaskOptions
  /** For addresses that operators typed. */
  readonly operatorEgress: EgressGuard
  /** Others that serve from the same database. */
  readonly neighbours: NeighbourWatch
}

/** The parts for a feature that adds itself to the console: `join` of `features/<noun>/join.ts`. */
export interface FeatureKit extends SharedParts {
  /** Adds a call of the console's API. */
  readonly on: On
}
