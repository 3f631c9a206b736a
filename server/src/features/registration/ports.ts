import type { Language } from '@tollgate/contract'
import type { Selectable, Transaction } from 'kysely'
import type { Tables, UsersTable } from '../../db/schema.ts'
import type { Log } from '../../lib/log.ts'
import type { MailSettings, SendMail } from '../../mail/mail.ts'
import type { OneTimeCodes } from '../../verification/one-time-codes.ts'
import type { RequiredWays } from '../../verification/required-way.ts'
import type { RecipientLimit } from './recipient-limit.ts'

type Within = (trx: Transaction<Tables>) => Promise<void>
type UserRow = Selectable<UsersTable>

/** The user a change is about, who makes it too. */
export interface Self {
  readonly id: number
  readonly username: string
  readonly ip: string
}

interface Email {
  readonly provider: 'email'
  /** In lower case. */
  readonly subject: string
}

/** Actions on users for registering; `features/users` implements them. Addresses are in lower case. */
export interface RegistrationUsers {
  /** Living users only. */
  byId(id: number): Promise<UserRow | undefined>
  emailOwner(email: string): Promise<UserRow | undefined>
  emailTaken(email: string): Promise<boolean>
  /** Throws AppError('username_taken' | 'email_taken') and what `within` throws. */
  welcome(newcomer: {
    username: string
    displayName: string
    password: string
    identities: readonly Email[]
    affCode: string
    within?: Within | undefined
  }): Promise<number>
  link(by: Self, email: Email, within: Within): Promise<void>
  unlink(by: Self, provider: 'email'): Promise<void>
  /** Ends everything that the old password opened. Throws AppError('password_invalid') and what `within` throws. */
  resetPassword(recovery: { userId: number; password: string; ip: string; within: Within }): Promise<void>
}

/** Counts guesses by what is guessed and from where; `features/accounts` fulfils it. */
export interface GuessThrottle {
  /** Counts a guess before it is looked at. Throws AppError('second_factor_throttled'). */
  attempt(keys: { readonly account: string; readonly address: string }): void | Promise<void>
  succeeded(keys: { readonly account: string; readonly address: string }): void | Promise<void>
}

/** Options, read for each call. */
export interface RegistrationSettings extends MailSettings {
  readonly RegisterEnabled: boolean
  readonly PasswordRegisterEnabled: boolean
  readonly SelfUseModeEnabled: boolean
  readonly EmailVerificationEnabled: boolean
  readonly EmailDomainRestrictionEnabled: boolean
  readonly EmailDomainWhitelist: readonly string[]
  readonly EmailAliasRestrictionEnabled: boolean
  readonly ServerAddress: string
}

export interface RegistrationParts {
  readonly users: RegistrationUsers
  readonly codes: Pick<OneTimeCodes, 'put' | 'guess' | 'matches' | 'use' | 'drop'>
  readonly sendMail: SendMail
  readonly recipients: RecipientLimit
  /** Slows guesses at codes, like those at passwords. */
  readonly guesses: GuessThrottle
  settings(): RegistrationSettings
  readonly requiredWays: RequiredWays
  /** Base of links while the option ServerAddress is empty. */
  readonly localAddress: string
  /** Creates the first API key of a new user; absent when the operator wants none. */
  readonly makeFirstToken?: ((user: { id: number; username: string; ip: string }) => Promise<void>) | undefined
  readonly log: Log
}

/** A person at the other end. */
export interface RegistrationVisitor {
  readonly ip: string
  readonly language: Language
}
