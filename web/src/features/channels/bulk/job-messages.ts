import { defineMessages } from '../../../lib/i18n.ts'

/** Texts of what begins background jobs over all channels; those of their progress are in jobs-strip-messages.ts. */
export const useJobMessages = defineMessages('channel-jobs', {
  zh: {
    testAll: '测试所有渠道',
    balanceAll: '更新所有已启用渠道余额',
    testBegan: '已成功开始测试所有渠道，进度显示在列表上方。',
    balanceBegan: '已开始更新余额，进度显示在列表上方。',
    fix: '修复数据库一致性',
    fixTitle: '确定是否要修复数据库一致性？',
    fixEffect: '重新读取全部渠道并重建选路数据，不会修改渠道本身。',
    fixConfirm: '开始修复',
    fixed: '已修复，共 {{count}} 个渠道参与选路',
  },
  en: {
    testAll: 'Test all channels',
    balanceAll: 'Update balances of all enabled channels',
    testBegan: 'The test of all channels has begun; progress stands above the list.',
    balanceBegan: 'Balances are being updated; progress stands above the list.',
    fix: 'Fix database consistency',
    fixTitle: 'Fix the consistency of the database?',
    fixEffect: 'Reads all channels again and rebuilds what routing is based on; channels themselves do not change.',
    fixConfirm: 'Fix',
    fixed_one: 'Fixed; one channel takes part in routing',
    fixed_other: 'Fixed; {{count}} channels take part in routing',
  },
})
