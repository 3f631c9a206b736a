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
    unasked: '另有 {{unasked}} 次本站调用未向提供商查询，不在比较之内。',
    bounded: '每个列表最多显示 {{most}} 次调用。',
    otherIds: '报表与日志使用不同类型的请求 ID，因此只按天与模型比较。',
    noOwnIds: '这段时间的日志没有提供商请求 ID，因此只按天与模型比较。',
    agreesTitle: '没有此类调用',
    agreesText: '双方记录一致。',
  },
  en: {
    byDay: 'By day and model',
    byCall: 'By call',
    view: 'Comparison',
    title: 'By call',
    list: 'List',
    different: 'Different ({{count}})',
    here: 'Only recorded ({{count}})',
    there: 'Only reported ({{count}})',
    at: 'Time',
    call: 'Recorded request ID',
    providerId: 'Provider request ID',
    matched: 'Matched {{matched}} calls by provider request ID.',
    unnamed: '{{unnamed}} more recorded calls have no provider request ID and can’t be compared individually.',
    unasked: '{{unasked}} more recorded calls weren’t looked up at the provider and aren’t compared.',
    bounded: 'Each list shows up to {{most}} calls.',
    otherIds: 'The report uses different request IDs than the log, so calls are compared by day and model only.',
    noOwnIds: 'The log has no provider request IDs for this period, so calls are compared by day and model only.',
    agreesTitle: 'No such calls',
    agreesText: 'Both sides match.',
  },
})

export type SayCalls = ReturnType<typeof useCallMessages>
