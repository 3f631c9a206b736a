import { role } from '../accounts/access.ts'
import { address, flag, secret, section, text } from './kinds.ts'

export const oidc = section({
  name: 'oidc',
  tab: 'system',
  title: { zh: '配置 OIDC', en: 'OIDC' },
  note: {
    zh: '主页 URL 填 {server}，重定向 URL 填 {server}/oauth/oidc',
    en: 'Homepage URL: {server}. Redirect URL: {server}/oauth/oidc',
  },
  options: {
    'oidc.well_known': address({
      fallback: '',
      see: role.root,
      label: { zh: 'Well-Known URL', en: 'Discovery URL (.well-known)' },
      help: { zh: '可从此 URL 获取下面的端点', en: 'The endpoints below can be read from this URL' },
    }),
    'oidc.signs_out': flag({
      fallback: false,
      label: { zh: '退出登录时同时退出 OIDC 提供方', en: 'Also sign out at the provider' },
      help: {
        zh: '提供方需支持 end_session_endpoint，并将本站登录页登记为退出后的重定向 URL',
        en: 'Requires an end_session_endpoint, and this site’s sign-in page registered at the provider as a sign-out redirect URL',
      },
    }),
    'oidc.client_id': text({
      fallback: '',
      status: 'oidc_client_id',
      label: { zh: 'OIDC Client ID', en: 'OIDC client ID' },
    }),
    'oidc.client_secret': secret({ label: { zh: 'OIDC Client Secret', en: 'OIDC client secret' } }),
    'oidc.authorization_endpoint': address({
      fallback: '',
      status: 'oidc_authorization_endpoint',
      label: { zh: 'Authorization Endpoint', en: 'Authorization endpoint' },
    }),
    'oidc.token_endpoint': address({
      fallback: '',
      see: role.root,
      label: { zh: 'Token Endpoint', en: 'Token endpoint' },
    }),
    'oidc.user_info_endpoint': address({
      fallback: '',
      see: role.root,
      label: { zh: 'User Info Endpoint', en: 'User info endpoint' },
    }),
  },
})

export const github = section({
  name: 'github',
  tab: 'system',
  title: { zh: '配置 GitHub OAuth App', en: 'GitHub OAuth app' },
  note: {
    zh: 'Homepage URL 填 {server}，Authorization callback URL 填 {server}/oauth/github',
    en: 'Homepage URL: {server}. Authorization callback URL: {server}/oauth/github',
  },
  options: {
    GitHubClientId: text({
      fallback: '',
      status: 'github_client_id',
      label: { zh: 'GitHub Client ID', en: 'GitHub client ID' },
    }),
    GitHubClientSecret: secret({ label: { zh: 'GitHub Client Secret', en: 'GitHub client secret' } }),
  },
})

export const discord = section({
  name: 'discord',
  tab: 'system',
  title: { zh: '配置 Discord OAuth', en: 'Discord OAuth' },
  note: { zh: '重定向 URL 填 {server}/oauth/discord', en: 'Redirect URL: {server}/oauth/discord' },
  options: {
    DiscordClientId: text({
      fallback: '',
      status: 'discord_client_id',
      label: { zh: 'Discord Client ID', en: 'Discord client ID' },
    }),
    DiscordClientSecret: secret({ label: { zh: 'Discord Client Secret', en: 'Discord client secret' } }),
  },
})

export const linuxDo = section({
  name: 'linuxdo',
  tab: 'system',
  title: { zh: '配置 Linux DO OAuth', en: 'Linux DO OAuth' },
  note: { zh: '回调 URL 填 {server}/oauth/linuxdo', en: 'Callback URL: {server}/oauth/linuxdo' },
  options: {
    LinuxDOClientId: text({
      fallback: '',
      status: 'linuxdo_client_id',
      label: { zh: 'Linux DO Client ID', en: 'Linux DO client ID' },
    }),
    LinuxDOClientSecret: secret({ label: { zh: 'Linux DO Client Secret', en: 'Linux DO client secret' } }),
  },
})

export const weChat = section({
  name: 'wechat',
  tab: 'system',
  title: { zh: '配置 WeChat Server', en: 'WeChat server' },
  options: {
    WeChatServerAddress: address({
      fallback: '',
      see: role.root,
      label: { zh: 'WeChat Server 服务器地址', en: 'WeChat server URL' },
    }),
    WeChatServerToken: secret({ label: { zh: 'WeChat Server 访问凭证', en: 'WeChat server token' } }),
    WeChatAccountQRCodeImageURL: address({
      fallback: '',
      status: 'wechat_qrcode',
      label: { zh: '微信公众号二维码图片链接', en: 'QR code image URL' },
    }),
  },
})

export const telegram = section({
  name: 'telegram',
  tab: 'system',
  title: { zh: '配置 Telegram 登录', en: 'Telegram sign-in' },
  options: {
    TelegramBotToken: secret({ label: { zh: 'Telegram Bot Token', en: 'Telegram bot token' } }),
    TelegramBotName: text({
      fallback: '',
      status: 'telegram_bot_name',
      label: { zh: 'Telegram Bot 名称', en: 'Telegram bot name' },
    }),
  },
})

export const turnstile = section({
  name: 'turnstile',
  tab: 'system',
  title: { zh: '配置 Turnstile', en: 'Turnstile' },
  options: {
    TurnstileSiteKey: text({
      fallback: '',
      status: 'turnstile_site_key',
      label: { zh: 'Turnstile Site Key', en: 'Turnstile site key' },
      help: { zh: '公开的站点密钥', en: 'The public key' },
    }),
    TurnstileSecretKey: secret({ label: { zh: 'Turnstile Secret Key', en: 'Turnstile secret key' } }),
  },
})
