import { defineMessages } from '#web/lib/i18n.ts'

/** Words of the comparison call by call. */
export const useCallMessages = defineMessages('reconciliationCalls', {
  zh: {
    byDay: '按天与模型',
    byCall: '逐次调用',
    view: '比较方式',
    title: '逐次调用',
    list: '列表',
    different: '不一致（{{count}}）',
    here: '仅本站（{{count}}）',
    there: '仅报表（{{count}}）',
    at: '时间',
    call: '本站请求 ID',
    providerId: '提供商请求 ID',
    matched: '按提供商请求 ID 匹配了 {{matched}} 次调用。',
    unnamed: '另有 {{unnamed}} 次本站调用没有提供商请求 ID，无法逐次比较。',
    unasked: '另有 {{unasked}} 次本站调用未向提供商询问，不在比较之内。',
    bounded: '每个列表最多显示 {{most}} 次调用。',
    otherIds: '报表中的请求 ID 与日志中的不是同一种，因此只按天与模型比较。',
    noOwnIds: '这段时间的日志没有提供商请求 ID，因此只按天与模型比较。',
    agreesTitle: '没有这样的调用',
    agreesText: '两边的这些调用都相符。',
  },
  en: {
    byDay: 'By day and model',
    byCall: 'By call',
    view: 'Comparison',
    title: 'By call',
    list: 'List',
    different: 'Different ({{count}})',
    here: 'Only here ({{count}})',
    there: 'Only there ({{count}})',
    at: 'Time',
    call: 'Request id here',
    providerId: 'Provider request id',
    matched: 'Matched {{matched}} calls by the provider’s request id.',
    unnamed: '{{unnamed}} more calls recorded here have no provider request id and cannot be compared one by one.',
    unasked: 'The provider was not asked about {{unasked}} more calls; they are not compared.',
    bounded: 'Each list shows at most {{most}} calls.',
    otherIds: 'The report has another kind of id than the log, so both sides are compared by day and model only.',
    noOwnIds: 'The log has no provider request ids in this period, so both sides are compared by day and model only.',
    agreesTitle: 'No such calls',
    agreesText: 'Both sides agree on these calls.',
  },
})

export type SayCalls = ReturnType<typeof useCallMessages>
