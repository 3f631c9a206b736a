import { role } from '../accounts/access.ts'
import { flag, integer, secret, section, text } from './kinds.ts'

export const mail = section({
  name: 'mail',
  tab: 'system',
  title: { zh: '配置 SMTP', en: 'Mail (SMTP)' },
  options: {
    SMTPServer: text({
      fallback: '',
      see: role.root,
      label: { zh: 'SMTP 服务器地址', en: 'SMTP host' },
      help: { zh: '例如：smtp.example.com', en: 'For example smtp.example.com' },
    }),
    SMTPPort: integer({
      fallback: 587,
      min: 1,
      max: 65_535,
      see: role.root,
      label: { zh: 'SMTP 端口', en: 'SMTP port' },
      help: { zh: '465 端口总是使用 TLS', en: 'Port 465 always uses TLS' },
    }),
    SMTPAccount: text({ fallback: '', see: role.root, label: { zh: 'SMTP 账户', en: 'SMTP account' } }),
    SMTPFrom: text({
      fallback: '',
      see: role.root,
      label: { zh: 'SMTP 发送者邮箱', en: 'Sender address' },
      help: { zh: '留空则使用 SMTP 账户', en: 'Empty: the SMTP account' },
    }),
    SMTPToken: secret({ label: { zh: 'SMTP 访问凭证', en: 'SMTP password' } }),
    SMTPSSLEnabled: flag({
      fallback: false,
      see: role.root,
      label: { zh: '启用 SMTP SSL', en: 'Use implicit TLS' },
      help: { zh: '关闭时使用 STARTTLS', en: 'Off: STARTTLS' },
    }),
  },
})
