import { flag, list, section } from './kinds.ts'

export const signIn = section({
  name: 'sign-in',
  tab: 'system',
  title: { zh: '配置登录注册', en: 'Sign-in and registration' },
  options: {
    PasswordLoginEnabled: flag({
      fallback: true,
      status: 'password_login_enabled',
      label: { zh: '允许通过密码进行登录', en: 'Sign in with a password' },
      help: { zh: '关闭后所有人都不能用密码登录', en: 'When off, nobody can sign in with a password' },
      risk: {
        zh: '取消密码登录将导致所有未绑定其他登录方式的用户（包括管理员）无法登录，确认取消？',
        en: 'Users without another way to sign in, admins included, will be locked out',
      },
    }),
    PasswordRegisterEnabled: flag({
      fallback: true,
      status: 'password_register_enabled',
      label: { zh: '允许通过密码进行注册', en: 'Register with a password' },
      help: { zh: '关闭后只能通过第三方账户注册', en: 'When off, new accounts come from third-party sign-in only' },
    }),
    EmailVerificationEnabled: flag({
      fallback: false,
      status: 'email_verification',
      label: { zh: '通过密码注册时需要进行邮箱验证', en: 'Verify the email address on registration' },
      help: { zh: '需要先配置 SMTP', en: 'Needs working mail settings' },
    }),
    RegisterEnabled: flag({
      fallback: true,
      status: 'register_enabled',
      label: { zh: '允许新用户注册', en: 'Accept new users' },
      help: { zh: '此项为否时，新用户将无法以任何方式进行注册', en: 'When off, sign-up is closed entirely' },
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
        zh: '组织所有者可添加 OIDC 或 SAML，仅对其组织生效',
        en: 'Owners add OIDC or SAML, which gives roles in their organisation alone',
      },
    }),
    TurnstileCheckEnabled: flag({
      fallback: false,
      status: 'turnstile_check',
      label: { zh: '启用 Turnstile 用户校验', en: 'Human check (Turnstile)' },
      help: { zh: '登录、注册与发送邮件前进行校验', en: 'Asked before sign-in, registration and mails' },
      requires: {
        keys: ['TurnstileSiteKey', 'TurnstileSecretKey'],
        text: {
          zh: '无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！',
          en: 'Turnstile cannot be enabled before its keys are filled in',
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
          en: 'GitHub OAuth cannot be enabled before client id and client secret are filled in',
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
          en: 'Discord OAuth cannot be enabled before client id and client secret are filled in',
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
          en: 'LinuxDO OAuth cannot be enabled before client id and client secret are filled in',
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
          en: 'WeChat sign-in cannot be enabled before its settings are filled in',
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
          en: 'Telegram sign-in cannot be enabled before the bot token is filled in',
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
          en: 'OIDC sign-in cannot be enabled before client id and client secret are filled in',
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
      label: { zh: '启用邮箱域名白名单', en: 'Accept listed domains only' },
      help: { zh: '只有名单中的域名可以注册', en: 'Registration with other domains is refused' },
      requires: {
        keys: ['EmailDomainWhitelist'],
        text: {
          zh: '无法启用邮箱域名限制，请先填入限制的邮箱域名！',
          en: 'The restriction cannot be enabled before domains are listed',
        },
      },
    }),
    EmailAliasRestrictionEnabled: flag({
      fallback: false,
      label: { zh: '启用邮箱别名限制', en: 'Refuse email aliases' },
      help: { zh: '拒绝 @ 之前含有 + 或 . 的邮箱', en: 'Addresses with + or . before the @ are refused' },
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
