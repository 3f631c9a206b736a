import { defineMessages } from '../../../lib/i18n.ts'

/** Texts of what begins background jobs over all channels; those of their progress are in jobs-strip-messages.ts. */
export const useJobMessages = defineMessages('channel-jobs', {
  zh: {
    testAll: '测试所有渠道',
    balanceAll: '更新所有已启用渠道余额',
    testBegan: '已开始测试所有渠道，进度显示在列表上方。',
    balanceBegan: '已开始更新余额，进度显示在列表上方。',
    fix: '重建路由数据',
    fixTitle: '重建路由数据？',
    fixEffect: '重新读取全部渠道并重建路由数据，不会修改渠道本身。',
    fixConfirm: '重建',
    fixed: '已重建，共 {{count}} 个渠道参与路由',
  },
  en: {
    testAll: 'Test all channels',
    balanceAll: 'Update balances of all enabled channels',
    testBegan: 'Testing all channels. Progress is shown above the list.',
    balanceBegan: 'Updating balances. Progress is shown above the list.',
    fix: 'Rebuild routing data',
    fixTitle: 'Rebuild routing data?',
    fixEffect: 'Reloads all channels and rebuilds the routing table. Channels themselves don’t change.',
    fixConfirm: 'Rebuild',
    fixed_one: 'Rebuilt with 1 channel',
    fixed_other: 'Rebuilt with {{count}} channels',
  },
})
