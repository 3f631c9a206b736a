import { defineMessages } from '../../../lib/i18n.ts'

/** Texts of the proof that a domain is the organisation’s. */
export const useDomainMessages = defineMessages('organisation-domain', {
  zh: {
    domainByRecord: '通过 DNS 记录验证',
    domainRecord: 'DNS 记录',
    domainRecordText: '在域名的 DNS 中添加以下 TXT 记录，然后检查。请保留此记录，系统每天会重新检查。',
    domainShowRecord: '显示记录',
    recordName: '名称（TXT）',
    recordValue: '值',
    recordProved: '已验证',
    recordSeen: '最近检测到记录',
    recordMissing: '自 {{since}} 起找不到此记录。请恢复它，否则验证最早于 {{until}} 失效，强制登录也会随之关闭。',
    domainCheck: '检查记录',
    domainProved: '域名已验证',
  },
  en: {
    domainByRecord: 'Verify by DNS record',
    domainRecord: 'DNS record',
    domainRecordText: 'Add this TXT record to the domain’s DNS, then check it. Keep it in place: it’s rechecked daily.',
    domainShowRecord: 'Show record',
    recordName: 'Name (TXT)',
    recordValue: 'Value',
    recordProved: 'Verified',
    recordSeen: 'Record last found',
    recordMissing:
      'Record missing since {{since}}. Restore it, or verification ends on {{until}} at the earliest, and enforced sign-in with it.',
    domainCheck: 'Check record',
    domainProved: 'Domain verified',
  },
})
