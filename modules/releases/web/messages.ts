import { defineMessages } from '#web/lib/i18n.ts'

/** Texts of the check for updates. */
export const useReleaseMessages = defineMessages('releases', {
  zh: {
    checkUpdates: '检查更新',
    newest: '已是最新版本：{{version}}',
    newVersion: '新版本：{{version}}',
    published: '发布于',
    details: '详情',
    noReleases: '版本列表中还没有正式版本',
    notConfigured: '尚未设置版本列表地址，无法检查更新。',
    configure: '去设置',
  },
  en: {
    checkUpdates: 'Check for updates',
    newest: 'This is the newest version: {{version}}',
    newVersion: 'New version: {{version}}',
    published: 'Released',
    details: 'Details',
    noReleases: 'The release list has no finished release yet',
    notConfigured: 'No release list is set, so updates cannot be checked.',
    configure: 'Set one',
  },
})
