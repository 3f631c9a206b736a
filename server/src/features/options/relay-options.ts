import type { RelayOptions } from '../../relay/ports.ts'
import type { OptionSnapshot } from './snapshot.ts'

const blockedWords = (values: OptionSnapshot): readonly string[] =>
  values.CheckSensitiveEnabled && values.CheckSensitiveOnPromptEnabled
    ? values.SensitiveWords.map((word) => word.toLowerCase())
    : []

const answerCheck = (values: OptionSnapshot): RelayOptions['answerCheck'] => ({
  words:
    values.CheckSensitiveEnabled && values.CheckSensitiveOnCompletionEnabled
      ? values.SensitiveWords.map((word) => word.toLowerCase())
      : [],
  stop: values.StopOnSensitiveEnabled,
  hold: values.StreamCacheQueueLength,
})

const build = (values: OptionSnapshot): RelayOptions => ({
  retryTimes: values.RetryTimes,
  preConsumedTokens: values.PreConsumedQuota,
  overdraft: values.QuotaOverdraft,
  freeWithoutBalance: values.FreeModelsWithoutBalance,
  amounts: { inCurrency: values.DisplayInCurrencyEnabled, quotaPerUnit: values.QuotaPerUnit },
  logConsume: values.LogConsumeEnabled,
  passThrough: values['global.pass_through_request_enabled'],
  rateLimit: {
    enabled: values.ModelRequestRateLimitEnabled,
    minutes: values.ModelRequestRateLimitDurationMinutes,
    count: values.ModelRequestRateLimitCount,
    successCount: values.ModelRequestRateLimitSuccessCount,
  },
  sensitiveWords: blockedWords(values),
  answerCheck: answerCheck(values),
  onClientGone: values.StreamOnClientGone,
  modelMembers: values.RequestModelMembers,
  strictGroups: new Set(values.StrictConversionGroups),
  storage: { days: values.StoredResponseDays, without: new Set(values.GroupsWithoutStorage) },
  sessionLimits: new Map(Object.entries(values.SessionLimits)),
  cacheMarks: new Map(Object.entries(values.GroupCacheMarks)),
  channelChoices: new Map(Object.entries(values.GroupChannelChoice)),
  avoidsLosses: values.RouteAroundLossEnabled,
  hedgedGroups: new Set(values.HedgedGroups),
  modelAliases: new Map(
    Object.entries(values.GroupModelAliases).map(([group, names]) => [group, new Map(Object.entries(names))]),
  ),
  modelEnds: new Map(
    Object.entries(values.ModelEndDates).map(([model, { ends, replaced_by: replacedBy = '' }]) => [
      model,
      { at: Date.parse(`${ends}T00:00:00Z`), replacedBy },
    ]),
  ),
  models: {
    claude: {
      headers: values['claude.model_headers_settings'],
      maxTokens: values['claude.default_max_tokens'],
      thinkingAdapter: values['claude.thinking_adapter_enabled'],
      thinkingShare: values['claude.thinking_adapter_budget_tokens_percentage'],
    },
    gemini: { safety: values['gemini.safety_settings'], versions: values['gemini.version_settings'] },
  },
})

/** Options of calls, put together once per change of the options. */
export const relayOptions = (snapshot: () => OptionSnapshot): (() => RelayOptions) => {
  let built: { readonly values: OptionSnapshot; readonly options: RelayOptions } | undefined
  return () => {
    const values = snapshot()
    if (built?.values !== values) built = { values, options: build(values) }
    return built.options
  }
}
