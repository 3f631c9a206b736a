import { defineMessages } from '../../../lib/i18n.ts'

/** Texts of the proof that a domain is the organisation’s. */
export const useDomainMessages = defineMessages('organisation-domain', {
  zh: {
    domainByRecord: '以 DNS 记录证明',
    domainRecord: 'DNS 记录',
    domainRecordText: '在域名的 DNS 中添加以下 TXT 记录，再检查。请保留此记录：之后每天会再次查看。',
    domainShowRecord: '显示记录',
    recordName: '名称（TXT）',
    recordValue: '值',
    recordProved: '已证明',
    recordSeen: '最近看到记录',
    recordMissing: '自 {{since}} 起找不到此记录。请恢复它，否则证明最早于 {{until}} 失效，强制登录也会结束。',
    domainCheck: '检查记录',
    domainProved: '域名已证明',
  },
  en: {
    domainByRecord: 'Prove it by a DNS record',
    domainRecord: 'DNS record',
    domainRecordText:
      'Add this TXT record to the DNS of the domain, then check it. Let it stay: it is looked at again every day.',
    domainShowRecord: 'Show the record',
    recordName: 'Name (TXT)',
    recordValue: 'Value',
    recordProved: 'Proved',
    recordSeen: 'Record last seen',
    recordMissing:
      'The record is missing since {{since}}. Restore it, or the proof ends on {{until}} at the earliest, and an enforced sign-in with it.',
    domainCheck: 'Check the record',
    domainProved: 'The domain is proved',
  },
})
