import { defineMessages } from '../../lib/i18n.ts'

/** Words of top-up orders. */
export const useOrderMessages = defineMessages('orders', {
  zh: {
    alipay: '支付宝',
    wechat: '微信',
    created: '创建时间',
    completed: '到账时间',
    tradeNo: '订单号',
    gatewayNo: '支付平台单号',
    quota: '到账金额',
    money: '实付金额',
    moneyValue: '{{money}} 元',
    method: '支付方式',
    status: '状态',
    user: '用户',
    username: '用户名',
    status_pending: '待支付',
    status_success: '已支付',
    status_expired: '已过期',
    ordersEmpty: '还没有充值订单',
    none: '无',
  },
  en: {
    alipay: 'Alipay',
    wechat: 'WeChat Pay',
    created: 'Created',
    completed: 'Credited',
    tradeNo: 'Order number',
    gatewayNo: 'Gateway reference',
    quota: 'Credited',
    money: 'Price',
    moneyValue: '{{money}} CNY',
    method: 'Method',
    status: 'Status',
    user: 'User',
    username: 'Username',
    status_pending: 'Pending',
    status_success: 'Paid',
    status_expired: 'Expired',
    ordersEmpty: 'No orders yet',
    none: 'None',
  },
})

export type SayOrder = ReturnType<typeof useOrderMessages>
