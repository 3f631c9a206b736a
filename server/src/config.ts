import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { DatabaseAddress } from './db/database.ts'

/** Everything the environment decides, parsed once. Times in milliseconds unless the name says otherwise. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly logDir: string | undefined
  readonly database: DatabaseAddress
  /** Where logs live when not in the main database. */
  readonly logDatabase: DatabaseAddress | undefined
  readonly redis: string | undefined
  readonly sessionSecret: string | undefined
  readonly cryptoSecret: string | undefined
  readonly initialRootPassword: string | undefined
  readonly allowDefaultPassword: boolean
  /** Addresses (CIDR) whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[]
  /** Hosts and CIDRs that the egress guard lets through although they are private. */
  readonly egressAllow: readonly string[]
  readonly nodeName: string
  readonly isSlave: boolean
  readonly frontendBaseUrl: string | undefined
  readonly syncFrequencyMs: number
  readonly timeouts: {
    readonly connect: number
    readonly firstByte: number
    readonly streamIdle: number
    readonly keepAliveComment: number
  }
  readonly forceStreamOption: boolean
  readonly maxRequestBytes: number
  readonly maxResponseBytes: number
  readonly maxFileDownloadBytes: number
  readonly azureApiVersion: string
  readonly generateDefaultToken: boolean
  readonly rateLimits: {
    readonly api: { readonly enabled: boolean; readonly count: number; readonly seconds: number }
    readonly web: { readonly enabled: boolean; readonly count: number; readonly seconds: number }
  }
  readonly debug: boolean
}
