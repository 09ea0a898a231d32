/** The facts of the app that a phone reads. */
interface Manifest {
  readonly packageName: string;
  readonly version: { readonly name: string; readonly code: number };
  /** True if its pages may load what is elsewhere. */
  readonly isOnline: boolean;
}

/**
 * Android 5, the first whose browser is kept up to date by itself; and Android 16, which the Play
 * store asks for since August 2026. Everything that the manifest says of the app is older than
 * both.
 */
const SDK = { least: 21, target: 36 };

/** Writes the manifest as text; nothing in it comes from the app's content. */
export function manifestXml({ packageName, version, isOnline }: Manifest): string {
  const permission = isOnline
    ? '<uses-permission android:name="android.permission.INTERNET"/>\n'
    : '';
  return `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${packageName}"
  android:versionCode="${version.code}" android:versionName="${version.name}">
<uses-sdk android:minSdkVersion="${SDK.least}" android:targetSdkVersion="${SDK.target}"/>
${permission}<application android:label="@string/name" android:icon="@mipmap/icon"
  android:theme="@style/App" android:supportsRtl="true">
<activity android:name="app.slipway.Reader" android:exported="true"
  android:configChanges="${KEPT_THROUGH}" android:windowSoftInputMode="adjustResize">
<intent-filter>
<action android:name="android.intent.action.MAIN"/>
<category android:name="android.intent.category.LAUNCHER"/>
</intent-filter>
</activity>
<provider android:name="app.slipway.Documents" android:authorities="${packageName}.documents"
  android:exported="false" android:grantUriPermissions="true"/>
</application>
</manifest>
`;
}

/** Pages stay as they are, with their sounds, when the device is turned. */
const KEPT_THROUGH =
  'orientation|screenSize|smallestScreenSize|screenLayout|keyboard|keyboardHidden|navigation';
