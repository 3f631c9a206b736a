import { defineMessages } from '#web/lib/i18n.ts'

/** Texts of the check for updates. */
export const useReleaseMessages = defineMessages('releases', {
  zh: {
    checkUpdates: '检查更新',
    newest: '已是最新版本（{{version}}）',
    newVersion: '有新版本：{{version}}',
    published: '发布于',
    details: '更新说明',
    noReleases: '没有找到正式版本',
    notConfigured: '设置版本列表地址后才能检查更新。',
    configure: '前往设置',
  },
  en: {
    checkUpdates: 'Check for updates',
    newest: 'You’re up to date ({{version}})',
    newVersion: 'Update available: {{version}}',
    published: 'Released',
    details: 'Release notes',
    noReleases: 'No stable release found',
    notConfigured: 'Set a release list to check for updates.',
    configure: 'Open settings',
  },
})
