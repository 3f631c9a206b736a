import { defineMessages } from '#web/lib/i18n.ts'

/** Words for those who redeem codes. */
export const useRedeemMessages = defineMessages('redeem', {
  zh: {
    redeemTitle: '兑换余额',
    code: '兑换码',
    redeem: '兑换',
    redeeming: '兑换中...',
    getCode: '获取兑换码',
    noLink: '超级管理员未设置充值链接！',
    codeRequired: '请输入兑换码！',
    redeemed: '兑换成功！',
    redeemedQuota: '成功兑换额度：{{quota}}',
    requestFailed: '请求失败',
    useCode: '使用兑换码',
    buyCode: '购买兑换码',
  },
  en: {
    redeemTitle: 'Redeem a code',
    code: 'Redemption code',
    redeem: 'Redeem',
    redeeming: 'Redeeming...',
    getCode: 'Get a code',
    noLink: 'No top-up link is set',
    codeRequired: 'Enter a redemption code',
    redeemed: 'Redeemed',
    redeemedQuota: '{{quota}} added',
    requestFailed: 'The request failed',
    useCode: 'Redeem a code',
    buyCode: 'Buy a code',
  },
})
