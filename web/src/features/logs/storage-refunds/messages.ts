import { defineMessages } from '../../../lib/i18n.ts'

/** Texts about refunds for cached contents that could not be made yet. */
export const useStorageRefundMessages = defineMessages('storageRefunds', {
  zh: {
    title: '{{count}} 笔退款待处理',
    text: '缓存提前删除后应退还的存储费用。系统会自动重试，不会重复退款。',
    show: '查看退款',
    close: '收起退款',
    attempts: '已尝试 {{count}} 次，下次：',
    reason: '原因',
    retry: '立即退款',
    retryOf: '立即退还请求 {{id}} 的费用',
    retried: '已退款',
    drop: '放弃',
    dropOf: '放弃请求 {{id}} 的退款',
    dropped: '已放弃该退款',
    dropTitle: '放弃这笔退款？',
    dropText: '不再自动重试，用户不会收到这笔退款。',
    more: '仅显示最早的 {{count}} 笔',
  },
  en: {
    title: 'Pending refunds: {{count}}',
    text: 'Storage fees to refund for caches deleted early. Retried automatically, refunded only once.',
    show: 'Show refunds',
    close: 'Hide refunds',
    attempts: '{{count}} attempts, next:',
    reason: 'Reason',
    retry: 'Refund now',
    retryOf: 'Refund request {{id}} now',
    retried: 'Refunded',
    drop: 'Dismiss',
    dropOf: 'Dismiss the refund of request {{id}}',
    dropped: 'Refund dismissed',
    dropTitle: 'Dismiss this refund?',
    dropText: 'It won’t be retried, and the user won’t be refunded.',
    more: 'Showing the oldest {{count}}',
  },
})
