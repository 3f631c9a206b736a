import type { ColumnType, Generated } from 'kysely'

/** A row's own number, given by the database. */
type Id = Generated<number>

/**
 * A 64-bit count of quota units that only the ledger may change: the type forbids updates, and the ledger
 * re-opens it (`ledger/tables.ts`). Safe integers only.
 */
export type LedgerQuota = ColumnType<number, number | undefined, never>

/** Unix seconds. */
type Time = number

/** 0 or 1. */
type Flag = number

export interface UsersTable {
  id: Id
  username: string
  password: string
  display_name: string
  role: number
  status: number
  email: string
  github_id: string
  oidc_id: string
  wechat_id: string
  telegram_id: string
  linux_do_id: string
  /** Keyed hash of the system access token; null when there is none. */
  access_token_hash: string | null
  quota: LedgerQuota
  used_quota: LedgerQuota
  request_count: LedgerQuota
  group: string
  aff_code: string
  aff_count: number
  aff_quota: LedgerQuota
  aff_history_quota: LedgerQuota
  inviter_id: number
  deleted_at: Time | null
  /** JSON text, see `userSetting` of the contract. */
  setting: string
  created_time: Time
  last_login_time: Time
}

/** A signed-in browser. The cookie holds a random id; only its keyed hash is stored. */
export interface SessionsTable {
  id_hash: string
  user_id: number
  created_time: Time
  last_seen_time: Time
  expires_time: Time
  ip: string
  user_agent: string
  /** When it last proved more than its cookie (second factor, passkey, password); 0 when it never did. */
  confirmed_time: Generated<Time>
}

/** A short secret sent to a user, e.g. by mail; a new one replaces the old. */
export interface OneTimeCodesTable {
  id: Id
  purpose: string
  /** Keyed hash of who it was sent to. */
  subject_hash: string
  code_hash: string
  /** Wrong guesses so far. */
  attempts: number
  created_time: Time
  expires_time: Time
}

/** Something begun in one browser that has to come back to it: a third-party sign-in, a passkey, a second step. */
export interface ChallengesTable {
  id_hash: string
  purpose: string
  /** 0 when no user is known yet. */
  user_id: number
  /** Keyed hash of a cookie; empty when the id itself is one. */
  browser_hash: string
  /** JSON, encrypted. */
  data_cipher: string
  created_time: Time
  expires_time: Time
}

/** Who a user is elsewhere, by ids that never change hands; `email` is a provider too, its subject in lower case. */
export interface IdentitiesTable {
  id: Id
  provider: string
  subject: string
  user_id: number
  /** What its owner knows it by. */
  name: string
  created_time: Time
}

/** A time-based one-time password. */
export interface SecondFactorsTable {
  user_id: number
  secret_cipher: string
  /** 0 until the first right code. */
  confirmed_time: Time
  /** Last step that was used, so that a code works once. */
  last_step: number
  /** Attempts since the last right code, counted before they are looked at. */
  failures: Generated<number>
  last_failure_time: Generated<Time>
  created_time: Time
}

export interface RecoveryCodesTable {
  id: Id
  user_id: number
  code_hash: string
  created_time: Time
}

export interface PasskeysTable {
  id: Id
  user_id: number
  credential_hash: string
  /** Base64url, like the public key. */
  credential_id: string
  public_key: string
  counter: number
  /** JSON array of text. */
  transports: string
  name: string
  created_time: Time
  last_used_time: Time
}

/** How many notices of a kind a user got in the stretch of time that began at `sent_time`. */
export interface NoticeMarksTable {
  id: Id
  user_id: number
  kind: string
  sent_time: Time
  sent_count: number
}

/** A notice that is still to be delivered. */
export interface NoticeDeliveriesTable {
  id: Id
  user_id: number
  kind: string
  way: 'email' | 'webhook'
  /** JSON: title, content, values, timestamp. */
  body: string
  attempts: number
  created_time: Time
  next_time: Time
  last_error: string
}

export interface TokensTable {
  id: Id
  user_id: number
  /** Keyed hash of the 48 characters, for look-up. */
  key_hash: string
  /** The 48 characters, encrypted. */
  key_cipher: string
  /** `abc***xyz`. */
  key_hint: string
  status: number
  name: string
  created_time: Time
  accessed_time: Time
  expired_time: Time
  remain_quota: LedgerQuota
  unlimited_quota: Flag
  model_limits_enabled: Flag
  model_limits: string
  allow_ips: string
  used_quota: LedgerQuota
  group: string
  deleted_at: Time | null
}

export interface ChannelsTable {
  id: Id
  type: number
  /** Encrypted; one key per line. */
  key_cipher: string
  key_hint: string
  /** Keyed hash of the whole key text, so that a search by exact key works. */
  key_hash: string
  openai_organization: string | null
  /** Longer prompts go to other channels; 0 for no limit. */
  max_input_tokens: number
  test_model: string | null
  status: number
  name: string
  weight: number
  created_time: Time
  test_time: Time
  response_time: number
  base_url: string
  other: string
  balance: number
  balance_updated_time: Time
  models: string
  group: string
  used_quota: LedgerQuota
  model_mapping: string | null
  status_code_mapping: string | null
  priority: number
  auto_ban: Flag
  other_info: string
  tag: string | null
  setting: string | null
  param_override: string | null
}

/** One of several keys of a channel; a channel with one key has no rows. */
export interface ChannelKeysTable {
  id: Id
  channel_id: number
  /** Keyed hash of this key alone. */
  key_hash: string
  /** 1 enabled, 2 disabled by people, 3 automatically. */
  status: number
  /** Why and when it was disabled. */
  reason: string
  status_time: Time
}

/** What became of the calls of one model of one channel in five minutes; all nodes add to the same row. */
export interface ChannelHealthTable {
  id: Id
  channel_id: number
  model_name: string
  /** Start of the five minutes. */
  bucket: Time
  ok: number
  slow: number
  auth: number
  quota: number
  rate_limited: number
  server_error: number
  timeout: number
  other: number
  /** Streams, and milliseconds until their first contents, summed. */
  first_contents: number
  first_content_ms: number
  /** Quota units. */
  spent: number
  /** How many answers took how long, by class (`channel-health/counts.ts`). */
  took_0: number
  took_1: number
  took_2: number
  took_3: number
  took_4: number
  took_5: number
  took_6: number
  took_7: number
  took_8: number
  took_9: number
  took_10: number
  took_11: number
  took_12: number
  took_13: number
  took_14: number
  took_15: number
  last_error: string
  last_error_time: Time
}

/** Work that one node does for all of them: who does it and how far it is. */
export interface ClusterJobsTable {
  name: string
  /** Random id of the run; empty while no node runs the job. */
  run: string
  /** The run counts as dead after that, unix seconds. */
  alive_until: Time
  started_time: Time
  finished_time: Time
  done: number
  total: number
  /** JSON: what came of it so far. */
  result: string
  stop_requested: Flag
}

export interface OptionsTable {
  key: string
  value: string
}

export interface RedemptionsTable {
  id: Id
  user_id: number
  key_hash: string
  key_cipher: string
  status: number
  name: string
  quota: number
  created_time: Time
  redeemed_time: Time
  used_user_id: number
  deleted_at: Time | null
  /** 0 when it never expires. */
  expired_time: Generated<Time>
  /** The same for all codes made at once; null for codes of older databases. */
  batch_id: string | null
}

/** May live in a database of its own (`LOG_SQL_DSN`). */
export interface LogsTable {
  id: Id
  user_id: number
  created_at: Time
  type: number
  content: string
  username: string
  token_name: string
  token_id: number
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  use_time: number
  is_stream: Flag
  channel_id: number
  group: string
  /** Unique, so that replaying the journal cannot log twice; rows without a request carry a random one. */
  request_id: string
  ip: string
  other: string
  /** The provider's own id of the call, by its last attempt that has one. */
  provider_request_id: Generated<string | null>
  /** Id of the session that the call belongs to (`relay/sessions`); null for calls that belong to none. */
  session: Generated<string | null>
}

/**
 * Append-only: every credit and debit of a balance. `quota`, `remain_quota` and `aff_quota` are the sums of their
 * entries. (movement, account, account_id) is unique: repeating a movement changes nothing.
 */
export interface LedgerEntriesTable {
  id: Id
  /** The request id of a charge, or e.g. `adjust:<id>`. */
  movement: string
  account: 'user' | 'token' | 'aff'
  account_id: number
  /** Signed quota units. */
  amount: number
  reason: 'opening' | 'charge' | 'adjust' | 'grant' | 'redeem' | 'topup' | 'transfer' | 'refund' | 'correction'
  created_at: Time
  /** JSON: the frozen receipt of a charge, or who adjusted and why. */
  detail: string
  /** The token that a charge to this user also moves by the same amount; null for none. Earlier versions wrote it an entry of its own. */
  token_id: number | null
}

/** Sums of the entries of an account by reason and hour; charges are only here where `usage_hours` does not have them. */
export interface LedgerHoursTable {
  id: Id
  account: 'user' | 'aff'
  account_id: number
  /** Start of the hour. */
  created_at: Time
  reason: LedgerEntriesTable['reason']
  count: number
  /** Signed quota units. */
  amount: number
}

/** Calls that are charged anew at another price; see `ledger/corrections`. */
export interface CorrectionsTable {
  id: Id
  created_at: Time
  actor_id: number
  actor_name: string
  note: string
  state: 'preparing' | 'ready' | 'applying' | 'done' | 'cancelled'
  /** Both included. */
  from_time: Time
  to_time: Time
  /** JSON: models, channels and users; empty lists do not filter. */
  filter: string
  /** JSON: the price options that were changed. */
  changes: string
  /** JSON: the price options of the new price, as they were when it was created. */
  price: string
  /** The last row of the log that was looked at. */
  scan_at: Time
  scan_id: number
  seen: Generated<number>
  /** JSON: how many calls were left out, by reason. */
  left_out: string
  calls: Generated<number>
  old_quota: Generated<number>
  new_quota: Generated<number>
  applied: Generated<number>
  /** Calls whose charge had become another one before it was applied. */
  skipped: Generated<number>
  lease_time: Generated<Time>
  finished_time: Generated<Time>
}

export interface CorrectionCallsTable {
  id: Id
  correction_id: number
  request_id: string
  /** The movement that is reversed: the request's charge, or an earlier correction of it. */
  replaces: string
  user_id: number
  token_id: number
  token_name: string
  channel_id: number
  model_name: string
  group: string
  called_at: Time
  old_quota: number
  new_quota: number
  /** 1 where the upstream cost of the call is known. */
  costed: number
  /** JSON: the new receipt; empty once the ledger has it. */
  receipt: string
  state: 'waiting' | 'applied' | 'skipped'
}

export interface CorrectionUsersTable {
  id: Id
  correction_id: number
  user_id: number
  calls: number
  old_quota: number
  new_quota: number
  applied_calls: number
  applied_old: number
  applied_new: number
}

/** How much of `usage_hours` is corrections: quota that was added to a model of a key in an hour. */
export interface CorrectionHoursTable {
  id: Id
  user_id: number
  created_at: Time
  token_id: number
  model_name: string
  quota: number
}

export interface QuotaDataTable {
  id: Id
  user_id: number
  username: string
  model_name: string
  /** Start of the hour. */
  created_at: Time
  token_used: number
  count: number
  quota: number
}

/** Sums of charges, and how many failed calls were logged. */
interface UsageSums {
  count: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  failures: number
  /** Quota units that the calls cost whose cost is known. */
  cost: Generated<number>
  /** How many these are, and what was charged for them. Calls from before these columns count as unknown. */
  costed_count: Generated<number>
  costed_quota: Generated<number>
  /** Parts of the prompt that were read from and written to the provider's cache. */
  cached_tokens: Generated<number>
  cache_write_tokens: Generated<number>
  /** Part of the completion. */
  reasoning_tokens: Generated<number>
  /** Completion tokens of streams, and milliseconds from their first contents to their ends. */
  timed_tokens: Generated<number>
  timed_ms: Generated<number>
  /** Prompt tokens that a cache could have had and had not. */
  missed_tokens: Generated<number>
  /** Quota units that reading from caches saved, and that these misses cost. */
  cache_saved: Generated<number>
  cache_lost: Generated<number>
}

/** What the calls of a session came to in an hour, by what they called. Written with their charges and failures. */
export interface CallSessionHoursTable
  extends Omit<UsageSums, 'count' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'failures'> {
  id: Id
  /** Start of the hour. */
  created_at: Time
  /** Hash of what follows up to the model; with the time it is unique. */
  dimensions_hash: string
  /** See `logs.session`. */
  session: string
  user_id: number
  token_id: number
  channel_id: number
  model_name: string
  count: Generated<number>
  failures: Generated<number>
  quota: Generated<number>
  prompt_tokens: Generated<number>
  completion_tokens: Generated<number>
}

type SpeedStep = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

/**
 * How many answered calls had their first content and their end in each class of an octave of milliseconds
 * (`ledger/speed/histogram.ts`).
 */
export type SpeedCounts = { [S in SpeedStep as `first_${S}` | `total_${S}`]: Generated<number> }

/** For everybody together, by hour. */
export interface SpeedSiteHoursTable extends SpeedCounts {
  id: Id
  created_at: Time
  channel_id: number
  group: string
  model_name: string
  octave: number
}

/** The same by user and key; old ones are deleted (option SpeedRetentionDays). */
export interface SpeedHoursTable extends SpeedSiteHoursTable {
  /** Hash of users, keys, channel, group and model; with hour and octave it is unique. */
  dimensions_hash: string
  user_id: number
  token_id: number
}

/** Failed calls that were logged, by hour and class. */
export interface FailureHoursTable {
  id: Id
  created_at: Time
  /** Hash of what follows up to the class; with the hour it is unique. */
  dimensions_hash: string
  user_id: number
  token_id: number
  channel_id: number
  group: string
  model_name: string
  /** One of `errorClasses` of the contract. */
  class: string
  count: number
}

/**
 * What was charged in an hour, for every combination of who called what through which channel. Written with the charges
 * themselves, so their sums agree; clearing logs does not change them.
 */
export interface UsageHoursTable extends UsageSums {
  id: Id
  /** Start of the hour, or of the day (UTC) in `usage_days`. */
  created_at: Time
  /** Hash of what follows up to the model; with the time it is unique. */
  dimensions_hash: string
  user_id: number
  /** 0 for the playground, like in `logs`. */
  token_id: number
  token_name: string
  channel_id: number
  group: string
  model_name: string
}

/** The same by day (UTC) for everybody together. */
export interface UsageSiteDaysTable extends UsageSums {
  id: Id
  created_at: Time
  channel_id: number
  group: string
  model_name: string
}

/** Streams for which two channels were asked, by the channel that did not answer. */
export interface HedgeHoursTable {
  id: Id
  /** Start of the hour. */
  created_at: Time
  channel_id: number
  model_name: string
  count: number
  /** How many of them the channel answered that was asked second. */
  won: number
  /** Quota units, about. */
  cost: number
}

/** What a user paid on a day (UTC) for calls that were left before the first byte. */
export interface AbortedCallsTable {
  id: Id
  user_id: number
  /** Start of the day (UTC). */
  created_at: Time
  count: number
  quota: number
}

/** The same in 28 days, whatever was called through whichever channel: a year of a large site by user or key. */
export interface UsageUserPeriodsTable extends UsageSums {
  id: Id
  /** Start of the 28 days (UTC), counted from 1970. */
  created_at: Time
  user_id: number
  token_id: number
  token_name: string
}

/** Rows of `logs` that are to be deleted, and how far that is. */
export interface LogPurgesTable {
  id: Id
  /** Unique: several nodes ask for the same daily purge. */
  name: string
  /** Only rows of this type; 0 for all. */
  type: number
  /** Rows older than this moment. */
  before: Time
  /** Rows that there were when it was asked for. */
  total: number
  deleted: Generated<number>
  created_time: Time
  /** Until when a node works on it; others keep off. */
  lease_time: Generated<Time>
  /** 0 while it is under way. */
  finished_time: Generated<Time>
}

export interface MidjourneysTable {
  id: Id
  code: number
  user_id: number
  action: string
  mj_id: string
  prompt: string
  prompt_en: string
  description: string
  state: string
  /** Milliseconds, like start and finish. */
  submit_time: number
  start_time: number
  finish_time: number
  image_url: string
  status: string
  progress: string
  fail_reason: string
  channel_id: number
  quota: number
  buttons: string
  properties: string
  /** The call that began it; null for rows of the reference. */
  request_id: ColumnType<string | null, string | null | undefined, never>
  /** Keyed hash of the channel's key that began it. */
  key_hash: ColumnType<string | null, string | null | undefined, never>
}

export interface TasksTable {
  id: Id
  created_at: Time
  updated_at: Time
  task_id: string
  platform: string
  user_id: number
  channel_id: number
  quota: number
  action: string
  status: string
  fail_reason: string
  submit_time: Time
  start_time: Time
  finish_time: Time
  progress: string
  properties: string
  data: string
  /** As in `midjourneys`. */
  request_id: ColumnType<string | null, string | null | undefined, never>
  key_hash: ColumnType<string | null, string | null | undefined, never>
}

export interface TopUpsTable {
  id: Id
  user_id: number
  amount: number
  /** Decimal text, two places. */
  money: string
  trade_no: string
  create_time: Time
  status: string
  /** Quota units that the payment adds. */
  quota: Generated<number>
  /** `zfb` or `wx`; null in orders of older databases. */
  payment_method: string | null
  /** Who was to be paid, as the gateway knows it. */
  merchant_id: string | null
  gateway_trade_no: string | null
  /** 0 until it is paid. */
  complete_time: Generated<Time>
}

/** Callbacks of payment gateways, verified or not. */
export interface PaymentCallbacksTable {
  id: Id
  received_time: Time
  source: 'notify' | 'check'
  ip: string
  /** As it was said; cut to 64 characters. */
  trade_no: string
  verified: Flag
  outcome: string
  /** JSON of what was said, without the signature. */
  parameters: string
}

/** Who did what to which object, before and after; never holds secrets. */
export interface AuditTable {
  id: Id
  created_at: Time
  actor_id: number
  actor_name: string
  action: string
  object: string
  object_id: string
  before: string
  after: string
  ip: string
}

/** The channel and key of each response that its provider stores for later calls. */
export interface StoredResponsesTable {
  id_hash: string
  user_id: number
  channel_id: number
  key_hash: string
  created_time: Time
}

/** A response, chat completion, conversation or item that the gateway stores for a key. */
export interface StoredObjectsTable {
  id_hash: string
  kind: string
  token_id: number
  thread_hash: string
  /** Milliseconds since 1970, and three digits more. */
  order_number: number
  expires_time: Time
  content_cipher: string
}

/** A figure of which its owner wants to know when it passes a threshold. */
export interface ExploreAlertsTable {
  id: Id
  user_id: number
  name: string
  metric: string
  /** JSON, see `exploreFilters` of the contract. */
  filters: string
  /** Whether it looks at the owner's calls only; those of users always do. */
  own_calls: Flag
  comparison: string
  threshold: number
  window_hours: number
  enabled: Flag
  /** Counts changes by the owner: a value that was read before one says nothing. */
  version: number
  /** 0 while the value is not over. */
  over_since: Time
  /** null where nothing was measured. */
  last_value: number | null
  checked_time: Time
  noticed_time: Time
  changed_time: Time
}

/** What operators say about a model in place of what is known. */
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

/** What a user chose for the console, one row per choice, so that the last one who writes it wins and nothing else. */
export interface PreferencesTable {
  id: Id
  user_id: number
  /** E.g. `time_zone` or `table.logs`. */
  name: string
  /** JSON. */
  value: string
  changed_time: Time
}

/** A time whose charges have no rows in the logs, because the operator switched them off. */
export interface LogGapsTable {
  from_time: Time
  /** The first second after it. */
  until_time: Time
}

/** Where reports of a provider come from. */
export interface ReportSourcesTable {
  id: Id
  kind: string
  name: string
  /** JSON list of the channels that buy with this account. */
  channel_ids: string
  base_url: string
  /** Encrypted; empty where the source needs none. */
  key_cipher: string
  key_hint: string
  /** JSON, see `sourceSettings` of the contract. */
  settings: string
  created_time: Time
}

/** A report of a period. A source has one for the same days, so that importing it again replaces it. */
export interface ReportImportsTable {
  id: Id
  source_id: number
  /** Starts of the first and of the last day (UTC). */
  from_day: Time
  until_day: Time
  /** Hours by which the report's days begin before those of UTC. */
  utc_offset: Generated<number>
  file_name: string
  status: 'running' | 'done' | 'failed'
  /** Random id of the attempt that may write the result. */
  run: string
  /** JSON: code and parameters of the last attempt's error; empty without one. */
  error: string
  lines: number
  /** JSON: sums of both sides and causes of their differences. */
  summary: string
  created_time: Time
  started_time: Time
  finished_time: Time
  username: string
}

/** A line of an imported report; null where the report does not say. */
export interface ReportLinesTable {
  id: Id
  import_id: number
  /** Start of the day (UTC). */
  day: Time
  /** The model under which both sides are compared. */
  model_key: string
  /** The model as the report names it. */
  model_name: string
  request_id: string
  calls: number | null
  /** Prompt tokens without those of a cache. */
  input: number | null
  cache_read: number | null
  cache_write: number | null
  output: number | null
  /** Dollars, exact decimal text. */
  cost: string | null
}

/** How a report compares with the log, by day and model. */
export interface ReportDaysTable {
  id: Id
  import_id: number
  day: Time
  model_key: string
  /** JSON, see `reconciledDay` of the contract. */
  comparison: string
}

/** Calls that a report and the log disagree about, one by one. */
export interface ReportCallsTable {
  id: Id
  import_id: number
  list: 'there' | 'here' | 'different'
  /** JSON, see `reconciledCall` of the contract. */
  comparison: string
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
  /** `apply`, `keep`, or empty while somebody has to decide. */
  decision: string
}

/** Which row of another gateway's database became which row here, so that an import can be repeated. */
export interface ImportRowsTable {
  id: Id
  /** Name of the site that was imported. */
  site: string
  /** `user`, `token`, `channel`, `code` … */
  kind: string
  source_id: string
  target_id: number
}

/** What an account had used before it came here; its `used_quota` is this and its charges. */
export interface OpeningUsesTable {
  id: Id
  account: 'user' | 'token'
  account_id: number
  /** Quota units. */
  used: number
}

export interface Tables {
  import_rows: ImportRowsTable
  opening_uses: OpeningUsesTable
  kept_answers: StoredResponsesTable
  stored_objects: StoredObjectsTable
  users: UsersTable
  sessions: SessionsTable
  one_time_codes: OneTimeCodesTable
  challenges: ChallengesTable
  identities: IdentitiesTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  notice_marks: NoticeMarksTable
  notice_deliveries: NoticeDeliveriesTable
  tokens: TokensTable
  channels: ChannelsTable
  channel_keys: ChannelKeysTable
  channel_health: ChannelHealthTable
  cluster_jobs: ClusterJobsTable
  options: OptionsTable
  redemptions: RedemptionsTable
  logs: LogsTable
  ledger_entries: LedgerEntriesTable
  ledger_hours: LedgerHoursTable
  corrections: CorrectionsTable
  correction_calls: CorrectionCallsTable
  correction_users: CorrectionUsersTable
  correction_hours: CorrectionHoursTable
  quota_data: QuotaDataTable
  usage_hours: UsageHoursTable
  usage_days: UsageHoursTable
  usage_site_days: UsageSiteDaysTable
  usage_user_periods: UsageUserPeriodsTable
  speed_hours: SpeedHoursTable
  speed_site_hours: SpeedSiteHoursTable
  failure_hours: FailureHoursTable
  call_session_hours: CallSessionHoursTable
  aborted_calls: AbortedCallsTable
  hedge_hours: HedgeHoursTable
  log_purges: LogPurgesTable
  log_gaps: LogGapsTable
  midjourneys: MidjourneysTable
  tasks: TasksTable
  top_ups: TopUpsTable
  payment_callbacks: PaymentCallbacksTable
  audit: AuditTable
  preferences: PreferencesTable
  model_cards: ModelCardsTable
  virtual_models: VirtualModelsTable
  explore_alerts: ExploreAlertsTable
  report_sources: ReportSourcesTable
  report_imports: ReportImportsTable
  report_lines: ReportLinesTable
  report_days: ReportDaysTable
  report_calls: ReportCallsTable
  price_lists: PriceListsTable
  price_versions: PriceVersionsTable
  price_changes: PriceChangesTable
}
