import { flag, list, section } from './kinds.ts'

export const signIn = section({
  name: 'sign-in',
  tab: 'system',
  title: { zh: '配置登录注册', en: 'Sign-in and registration' },
  options: {
    PasswordLoginEnabled: flag({
      fallback: true,
      status: 'password_login_enabled',
      label: { zh: '允许通过密码进行登录', en: 'Allow password sign-in' },
      help: { zh: '关闭后所有人都不能用密码登录', en: 'If off, no one can sign in with a password' },
      risk: {
        zh: '取消密码登录将导致所有未绑定其他登录方式的用户（包括管理员）无法登录，确认取消？',
        en: 'Users without another way to sign in, admins included, will be locked out',
      },
    }),
    PasswordRegisterEnabled: flag({
      fallback: true,
      status: 'password_register_enabled',
      label: { zh: '允许通过密码进行注册', en: 'Allow password registration' },
      help: { zh: '关闭后只能通过第三方账户注册', en: 'If off, new accounts require third-party sign-in' },
    }),
    EmailVerificationEnabled: flag({
      fallback: false,
      status: 'email_verification',
      label: { zh: '通过密码注册时需要进行邮箱验证', en: 'Require email verification' },
      help: { zh: '需要先配置 SMTP', en: 'Requires SMTP settings' },
    }),
    RegisterEnabled: flag({
      fallback: true,
      status: 'register_enabled',
      label: { zh: '允许新用户注册', en: 'Allow registration' },
      help: { zh: '关闭后，新用户无法以任何方式注册', en: 'If off, no one can register by any method' },
    }),
    OrganisationsEnabled: flag({
      fallback: false,
      label: { zh: '允许用户创建组织', en: 'Let users create organisations' },
      help: {
        zh: '组织有共享钱包、团队、项目和成员；管理员始终可以创建',
        en: 'Shared wallet, teams, projects and members. Administrators always can.',
      },
    }),
    OrganisationProvidersEnabled: flag({
      fallback: false,
      label: { zh: '允许组织设置自己的身份提供方', en: 'Let organisations add their own identity providers' },
      help: {
        zh: '组织所有者可为自己的组织添加 OIDC 或 SAML 提供方',
        en: 'Owners can add OIDC or SAML providers for their own organisation',
      },
    }),
    TurnstileCheckEnabled: flag({
      fallback: false,
      status: 'turnstile_check',
      label: { zh: '启用 Turnstile 用户校验', en: 'Turnstile verification' },
      help: { zh: '登录、注册与发送邮件前进行验证', en: 'Required for sign-in, registration and sending emails' },
      requires: {
        keys: ['TurnstileSiteKey', 'TurnstileSecretKey'],
        text: {
          zh: '无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！',
          en: 'Enter the Turnstile keys first',
        },
      },
    }),
    GitHubOAuthEnabled: flag({
      fallback: false,
      status: 'github_oauth',
      label: { zh: '允许通过 GitHub 账户登录 & 注册', en: 'Sign in with GitHub' },
      requires: {
        keys: ['GitHubClientId'],
        text: {
          zh: '无法启用 GitHub OAuth，请先填入 GitHub Client Id 以及 GitHub Client Secret！',
          en: 'Enter the GitHub client ID and secret first',
        },
      },
    }),
    DiscordOAuthEnabled: flag({
      fallback: false,
      status: 'discord_oauth',
      label: { zh: '允许通过 Discord 账户登录 & 注册', en: 'Sign in with Discord' },
      requires: {
        keys: ['DiscordClientId'],
        text: {
          zh: '无法启用 Discord OAuth，请先填入 Discord Client Id 以及 Discord Client Secret！',
          en: 'Enter the Discord client ID and secret first',
        },
      },
    }),
    LinuxDOOAuthEnabled: flag({
      fallback: false,
      status: 'linuxdo_oauth',
      label: { zh: '允许通过 LinuxDO 账户登录 & 注册', en: 'Sign in with LinuxDO' },
      requires: {
        keys: ['LinuxDOClientId'],
        text: {
          zh: '无法启用 LinuxDO OAuth，请先填入 LinuxDO Client Id 以及 LinuxDO Client Secret！',
          en: 'Enter the LinuxDO client ID and secret first',
        },
      },
    }),
    WeChatAuthEnabled: flag({
      fallback: false,
      status: 'wechat_login',
      label: { zh: '允许通过微信登录 & 注册', en: 'Sign in with WeChat' },
      requires: {
        keys: ['WeChatServerAddress'],
        text: {
          zh: '无法启用微信登录，请先填入微信登录相关配置信息！',
          en: 'Enter the WeChat settings first',
        },
      },
    }),
    TelegramOAuthEnabled: flag({
      fallback: false,
      status: 'telegram_oauth',
      label: { zh: '允许通过 Telegram 进行登录', en: 'Sign in with Telegram' },
      requires: {
        keys: ['TelegramBotToken'],
        text: {
          zh: '无法启用 Telegram OAuth，请先填入 Telegram Bot Token！',
          en: 'Enter the Telegram bot token first',
        },
      },
    }),
    'oidc.enabled': flag({
      fallback: false,
      status: 'oidc_enabled',
      label: { zh: '允许通过 OIDC 进行登录', en: 'Sign in with OIDC' },
      requires: {
        keys: ['oidc.client_id'],
        text: {
          zh: '无法启用 OIDC 登录，请先填入 OIDC Client Id 以及 OIDC Client Secret！',
          en: 'Enter the OIDC client ID and secret first',
        },
      },
    }),
  },
})

export const emailDomains = section({
  name: 'email-domains',
  tab: 'system',
  title: { zh: '配置邮箱域名白名单', en: 'Email domains' },
  options: {
    EmailDomainRestrictionEnabled: flag({
      fallback: false,
      label: { zh: '启用邮箱域名白名单', en: 'Restrict email domains' },
      help: { zh: '只有名单中的域名可以注册', en: 'Only the listed domains can register' },
      requires: {
        keys: ['EmailDomainWhitelist'],
        text: {
          zh: '无法启用邮箱域名限制，请先填入限制的邮箱域名！',
          en: 'Enter the allowed domains first',
        },
      },
    }),
    EmailAliasRestrictionEnabled: flag({
      fallback: false,
      label: { zh: '启用邮箱别名限制', en: 'Block email aliases' },
      help: { zh: '拒绝 @ 之前含有 + 或 . 的邮箱', en: 'Rejects addresses with + or . before the @' },
    }),
    EmailDomainWhitelist: list({
      fallback: [
        'gmail.com',
        '163.com',
        '126.com',
        'qq.com',
        'outlook.com',
        'hotmail.com',
        'icloud.com',
        'yahoo.com',
        'foxmail.com',
      ],
      separator: ',',
      // As addresses are compared; some write a domain with its @.
      entry: (text) => text.toLowerCase().replace(/^@/, ''),
      label: { zh: '允许的邮箱域名', en: 'Domains' },
      help: { zh: '以逗号分隔', en: 'Separated by commas' },
    }),
  },
})
