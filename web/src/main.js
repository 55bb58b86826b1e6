import * as Plot from "@observablehq/plot";

const mount = document.getElementById("tool");
if (mount) mount.append(Plot.plot({ marks: [Plot.dot([[0, 0]])] }));
