import { defineMessages } from '../../../lib/i18n.ts'

/** Texts about refunds for cached contents that could not be made yet. */
export const useStorageRefundMessages = defineMessages('storageRefunds', {
  zh: {
    title: '尚未成功的退款：{{count}} 笔',
    text: '缓存内容提前删除后应退还的存储费用。系统会自动重试，直到成功；同一笔费用只退还一次。',
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
    dropText: '之后不会再自动重试，用户不会收到这笔退款。',
    more: '仅显示最早的 {{count}} 笔',
  },
  en: {
    title: 'Refunds that could not be made yet: {{count}}',
    text: 'The rest of what was paid to keep cached contents that were deleted early. Each is tried again until it succeeds, and is made once only.',
    show: 'Show refunds',
    close: 'Hide refunds',
    attempts: 'Tried {{count}} times, next:',
    reason: 'Reason',
    retry: 'Refund now',
    retryOf: 'Refund request {{id}} now',
    retried: 'The refund is made',
    drop: 'Give up',
    dropOf: 'Give up the refund of request {{id}}',
    dropped: 'The refund is given up',
    dropTitle: 'Give this refund up?',
    dropText: 'It will not be tried again, and the user does not get it.',
    more: 'The oldest {{count}} are shown',
  },
})
